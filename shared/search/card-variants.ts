import type { Card, CardVariant } from "#shared/domain/catalog/card.ts";
import { addBit, emptyBits, hasBit, listBits, type Bits } from "./bits.ts";
import type { CatalogIndex } from "./catalog-index.ts";
import { pictureOf, type PackedPicture, storedPicture, type ShownCard } from "./looks.ts";
import type { IndexEntry, Segment } from "./segment.ts";
import { stringAt } from "./string-column.ts";

/** The facets that one variant of a card must answer together, besides price and stock. */
export const variantFacets = ["material", "color"] as const;

/**
 * What a variant shows, as it is stored: the code of its swatch, its picture if it is not the card's, and the members
 * that differ from the card's.
 */
type StoredVariant = readonly [
  swatch: string | null,
  picture: PackedPicture | null,
  members: Partial<Omit<CardVariant["shown"], "image">>,
];

/** A row of a segment's variants. */
export interface VariantRow {
  price: number;
  shown: string;
}

type Offered = Pick<IndexEntry, "facets" | "in_stock" | "variants"> & { card: CardLike };
type CardLike = ShownCard & { readonly price: number | null };

/** The variants of an entry with the terms by which they are filtered. A row without variants counts as one. */
export function* variantRows(entry: Offered): Generator<[VariantRow, terms: string[]]> {
  const { card, facets, in_stock, variants } = entry;
  if (variants.length === 0) {
    yield [{ price: card.price ?? 0, shown: "" }, termsOf(facets, in_stock)];
  }
  for (const { shown, swatch, ...values } of variants) {
    const isThere = shown.availability.state === "in_stock";
    const terms = termsOf(values, isThere || shown.availability.state === "low_stock");
    yield [{ price: shown.price, shown: storedVariant({ shown, swatch }, card) }, terms];
  }
}

function termsOf(values: Readonly<Record<string, readonly string[]>>, inStock: boolean): string[] {
  const ofFacets = variantFacets.flatMap((code) =>
    (values[code] ?? []).map((value) => `${code}:${value}`),
  );
  return inStock ? [...ofFacets, "in_stock:yes"] : ofFacets;
}

function storedVariant(
  { shown: { image, ...shown }, swatch }: Pick<CardVariant, "shown" | "swatch">,
  card: CardLike,
): string {
  const own: Readonly<Record<string, unknown>> = { ...card };
  const members = Object.entries(shown).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(own[name]),
  );
  const picture = image && image.url !== card.image?.url ? storedPicture(image, card.image) : null;
  const stored: StoredVariant = [swatch, picture, Object.fromEntries(members)];
  return JSON.stringify(stored);
}

/** The cards of a list, each with the variant that it shows. */
export interface Listed {
  docs: Bits;
  /** The variants that answer all filters; undefined if no filter is one that variants answer. */
  variants: Bits | undefined;
  /** The first variant of each document that answers; other documents have any number. */
  first: Uint32Array<ArrayBuffer>;
}

/** The documents of a set that have any of these variants. */
export function listed(index: CatalogIndex, docs: Bits, variants: Bits | undefined): Listed {
  const { starts, docs: docOf } = index.variants;
  if (variants === undefined) return { docs, variants, first: starts };
  const first = new Uint32Array(index.size);
  const found = emptyBits(index.size);
  const answering = listBits(variants);
  // From the last to the first, so that the first one stays.
  for (let at = answering.length - 1; at >= 0; at -= 1) {
    const variant = answering[at]!;
    const doc = docOf[variant]!;
    if (!hasBit(docs, doc)) continue;
    addBit(found, doc);
    first[doc] = variant;
  }
  return { docs: found, variants, first };
}

/** The number of listed documents with each value of a facet that variants answer. */
export function variantCounts(
  index: CatalogIndex,
  { docs, variants }: Listed,
  code: (typeof variantFacets)[number],
): Map<string, number> {
  const { docs: docOf, facets } = index.variants;
  const counts = new Map<string, number>();
  for (const [value, { docs: having }] of facets.values.get(code) ?? []) {
    let count = 0;
    let last = -1;
    for (let at = 0; at < having.length; at += 1) {
      const variant = having[at]!;
      const doc = docOf[variant]!;
      if (doc === last || !hasBit(docs, doc)) continue;
      if (variants !== undefined && !hasBit(variants, variant)) continue;
      last = doc;
      count += 1;
    }
    if (count > 0) counts.set(value, count);
  }
  return counts;
}

/** The price that a document shows without filters. */
export const ownPrice = ({ variants }: CatalogIndex, doc: number): number =>
  variants.prices[variants.starts[doc]!]!;

/** The first answering variant of a document with this swatch; undefined if there is none. */
export function variantWithSwatch(
  index: CatalogIndex,
  { variants }: Listed,
  doc: number,
  swatch: string,
): number | undefined {
  const { starts } = index.variants;
  for (let variant = starts[doc]!; variant < starts[doc + 1]!; variant += 1) {
    if (variants !== undefined && !hasBit(variants, variant)) continue;
    const text = shownText(index, variant);
    if (text !== "" && storedOf(text)[0] === swatch) return variant;
  }
  return undefined;
}

/** The code of the swatch that shows a variant; null if none does. */
export function swatchOfVariant(index: CatalogIndex, variant: number): string | null {
  const text = shownText(index, variant);
  return text === "" ? null : storedOf(text)[0];
}

/** The ids of a product's variants. @param card the product's card */
export function variantIdsAt(index: CatalogIndex, doc: number, card: Card): string[] {
  const { starts } = index.variants;
  const ids: (string | null)[] = [];
  for (let variant = starts[doc]!; variant < starts[doc + 1]!; variant += 1) {
    ids.push(withVariant(index, card, variant).variant_id);
  }
  return ids.filter((id) => id !== null);
}

/** The card as this variant shows it. */
export function withVariant(index: CatalogIndex, card: Card, variant: number): Card {
  const text = shownText(index, variant);
  if (text === "") return card;
  const [, picture, members] = storedOf(text);
  return { ...card, ...members, image: picture ? pictureOf(picture, card.image) : card.image };
}

function shownText({ base, overlay }: CatalogIndex, variant: number): string {
  const ofBase = base.variantPrices.length;
  return variant < ofBase
    ? stringAt(base.shownVariants, variant)
    : stringAt(overlay.shownVariants, variant - ofBase);
}

/** Only `storedVariant` writes these texts, so they need no validation. */
const storedOf = (text: string): StoredVariant => JSON.parse(text) as StoredVariant;

/** The number of the document of each variant. */
export function docsOfVariants({
  variantStarts,
  size,
}: Pick<Segment, "variantStarts" | "size">): Uint32Array<ArrayBuffer> {
  const docs = new Uint32Array(variantStarts[size]!);
  for (let row = 0; row < size; row += 1) {
    docs.fill(row, variantStarts[row], variantStarts[row + 1]);
  }
  return docs;
}
