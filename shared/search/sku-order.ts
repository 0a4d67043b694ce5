import { lowerBound, stringsAt, type StringColumn } from "./string-column.ts";

/** A SKU is encoded as one number: its card's row times this, plus its position in the card's list of at most 100. */
const places = 256;

/** All SKUs in a column of JSON lists, as numbers in SKU order. */
export function skuOrderOf(skus: StringColumn): Uint32Array<ArrayBuffer> {
  const all: { sku: string; number: number }[] = [];
  for (let row = 0; row + 1 < skus.offsets.length; row += 1) {
    for (const [place, sku] of stringsAt(skus, row).entries()) {
      all.push({ sku, number: row * places + place });
    }
  }
  all.sort((one, other) => (one.sku < other.sku ? -1 : one.sku > other.sku ? 1 : 0));
  return Uint32Array.from(all, ({ number }) => number);
}

/** The SKUs with this prefix, in order, each with its row. */
export function* skusFrom(
  skus: StringColumn,
  order: Uint32Array,
  beginning: string,
): Generator<{ sku: string; row: number }> {
  const skuAt = (position: number) => {
    const number = order[position]!;
    return stringsAt(skus, rowOf(number))[number % places]!;
  };
  let position = lowerBound(order.length, skuAt, beginning);
  for (; position < order.length; position += 1) {
    const sku = skuAt(position);
    if (!sku.startsWith(beginning)) return;
    yield { sku, row: rowOf(order[position]!) };
  }
}

const rowOf = (number: number): number => Math.floor(number / places);
