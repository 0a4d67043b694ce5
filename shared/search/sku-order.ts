import { lowerBound, stringsAt, type StringColumn } from "./string-column.ts";

/** A SKU is encoded as one number: its card's row times this, plus its position in the card's list of at most 100. */
const places = 256;
/** Sorts after every character of a SKU. */
const lastCharacter = "\uffff";

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

/**
 * The rows of the SKUs with this prefix, in SKU order. A row is repeated for each of its SKUs. The first `whole` rows are
 * those of SKUs that equal the prefix.
 */
export function rowsOfSkus(
  skus: StringColumn,
  order: Uint32Array<ArrayBuffer>,
  prefix: string,
): { rows: Uint32Array<ArrayBuffer>; whole: number } {
  const skuAt = (position: number) => {
    const number = order[position]!;
    return stringsAt(skus, rowOf(number))[number % places]!;
  };
  const start = lowerBound(order.length, skuAt, prefix);
  // Decoding a SKU parses its card's list, so the end is found by a second search.
  const end = lowerBound(order.length, skuAt, `${prefix}${lastCharacter}`);
  let whole = 0;
  while (start + whole < end && skuAt(start + whole) === prefix) whole += 1;
  return { rows: order.slice(start, end).map(rowOf), whole };
}

const rowOf = (number: number): number => Math.floor(number / places);
