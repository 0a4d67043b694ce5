import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import { Card, type CatalogEntry } from "#shared/domain/catalog/card.ts";
import { productEntry } from "#shared/domain/listing/catalog-entry.ts";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import type { IndexDeps } from "#shared/application/listing/index-work.ts";
import { rebuildIndex } from "#shared/search/catalog-writer.ts";
import { aPublishedProduct } from "#test/support/shop/plant.ts";

const colors = ["grey", "blue", "green", "beige", "white", "black"];
const woods = ["Teak", "Oak", "Mango", "Walnut", "Cane", "Ash", "Sheesham", "Beech"];
const types = ["lounge chair", "dining table", "bookcase", "bench", "stool", "side table"];
const places = ["Oslo", "Bergen", "Jaipur", "Lisbon", "Kyoto", "Madras", "Turin", "Porto", "Delft"];

/** How many products both shops of the bench `peers` have. */
export const manyProducts = 1_000;

/** Product number `at`, the same at every size of the catalog. */
export function numbered(at: number): { product: PublishedProduct; stock: Stock } {
  const pick = <Choice>(from: readonly Choice[], stride: number) =>
    from[Math.floor(at / stride) % from.length] as Choice;
  const [color, wood, type] = [pick(colors, 1), pick(woods, 6), pick(types, 48)];
  const template = aPublishedProduct();
  const [variant] = template.variants;
  if (!variant) throw new Error("A product without a variant");
  const sku = `GROWTH-${at}`;
  const product = aPublishedProduct({
    slug: `growth-${at}`,
    name: `${pick(places, 288)} ${wood.toLowerCase()} ${type} ${at.toString(36)}`,
    materials: [{ code: wood.toLowerCase(), label: wood }],
    options: [
      {
        code: "color",
        label: "Colour",
        values: [
          {
            code: color,
            label: color,
            swatch: { hex: null, image: null, color_group: color as "grey" },
          },
        ],
      },
    ],
    tags: [`tag-${at % 50}`],
    popularity: (at * 7919) % 10_007,
    variants: [
      { ...variant, sku, options: { color }, price: 100_000 + ((at * 104_729) % 9_000_000) },
    ],
  });
  const stock: Stock = {
    id: variant.id,
    owner: { kind: "product", id: product.id, slug: product.slug },
    on_hand: 20,
    reserved: 0,
    available: 20,
    policy: "deny",
    low_stock_threshold: 2,
    version: 1,
    updated_at: product.updated_at,
  };
  return { product, stock };
}

/** The catalog index's entry of a product. */
export const entryOf = ({ product, stock }: ReturnType<typeof numbered>): CatalogEntry =>
  productEntry(product, [stock]);

/** Writes an index of the current format with these entries. */
export async function writeIndex(
  { target, rebuilds }: Pick<IndexDeps, "target" | "rebuilds">,
  entries: readonly CatalogEntry[],
): Promise<void> {
  const parsed = entries.map((entry) => ({ ...entry, card: parsedBy(Card, entry.card) }));
  await rebuilds.keep();
  await rebuildIndex(target, async () => ({ entries: parsed, documents: {} }));
}
