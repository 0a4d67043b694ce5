import * as fc from "fast-check";
import { type ParsedValue, parsedBy } from "#shared/domain/base/parsed-json.ts";
import { isInStock } from "#shared/domain/catalog/availability.ts";
import {
  Card,
  type CardVariant,
  type CatalogEntry,
  type SearchText,
} from "#shared/domain/catalog/card.ts";

/** A catalog entry; `card` may override some members. */
export function anEntry(
  id: string,
  { card, facets, ...rest }: Overrides = {},
): CatalogEntry & { card: ParsedValue<Card> } {
  const name = card?.name ?? `Chair ${id}`;
  return {
    card: parsedBy(Card, {
      id,
      kind: "product",
      slug: `slug-${id}`,
      name,
      subtitle: null,
      category: { slug: "chairs", name: "Chairs" },
      variant_id: null,
      sku: null,
      image: null,
      currency: "INR",
      price: 100_00,
      compare_at_price: null,
      price_from: false,
      badges: [],
      swatches: [],
      availability: { state: "in_stock", quantity: null, lead_time: { min_days: 2, max_days: 5 } },
      ...card,
    }),
    facets: {
      category: [],
      collection: [],
      room: [],
      style: [],
      material: [],
      color: [],
      tag: [],
      ...facets,
    },
    seats: [],
    width_mm: null,
    depth_mm: null,
    height_mm: null,
    in_stock: true,
    sold_out: false,
    looks: [],
    published_at: "2026-01-01T00:00:00.000Z",
    popularity: 0,
    related_ids: [],
    skus: [],
    variants: [],
    ...rest,
    text: aText(name, rest.text),
  };
}

/** A variant as an entry contains it; `shown` may override some members. */
export function aCardVariant(
  sku: string,
  {
    shown,
    ...rest
  }: Partial<Omit<CardVariant, "shown">> & { shown?: Partial<CardVariant["shown"]> },
): CardVariant {
  return {
    shown: {
      variant_id: `var_${sku}`,
      sku,
      image: null,
      price: 100_00,
      compare_at_price: null,
      price_from: false,
      availability: { state: "in_stock", quantity: null, lead_time: { min_days: 2, max_days: 5 } },
      ...shown,
    },
    material: [],
    color: [],
    swatch: null,
    ...rest,
  };
}

/** The entry of a card with these variants, the first of which it shows. */
export function withVariants(
  entry: ReturnType<typeof anEntry>,
  variants: readonly CardVariant[],
): ReturnType<typeof anEntry> {
  const [first] = variants;
  if (first === undefined) return entry;
  const all = (facet: "material" | "color") => [...new Set(variants.flatMap((one) => one[facet]))];
  return {
    ...entry,
    card: parsedBy(Card, { ...entry.card, ...first.shown, image: entry.card.image }),
    facets: { ...entry.facets, material: all("material"), color: all("color") },
    in_stock: variants.some(({ shown }) => isInStock(shown.availability)),
    variants: [...variants],
  };
}

/** A card's texts by name only; `more` may add others. */
export const aText = (name: string, more: Partial<SearchText> = {}): SearchText => ({
  name,
  kind: "",
  noun: "",
  attributes: "",
  subtitle: "",
  context: "",
  body: "",
  ...more,
});

type Overrides = Partial<Omit<CatalogEntry, "card" | "facets" | "text">> & {
  card?: Partial<CatalogEntry["card"]>;
  text?: Partial<SearchText>;
  facets?: Partial<CatalogEntry["facets"]>;
};

const words = [
  "oslo",
  "sofa",
  "sofas",
  "chair",
  "chaise",
  "wing",
  "teak",
  "velvet",
  "velours",
  "crème",
  "bookcase",
  "bookshelf",
  "dining",
  "table",
  "a",
  "of",
  "3",
  "सोफ़ा",
];

const someWords = fc
  .array(fc.constantFrom(...words), { maxLength: 4 })
  .map((list) => list.join(" "));
const some = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });

const anyMeasure = fc.option(fc.integer({ min: 1, max: 4 }).map((steps) => steps * 500));
const anyMaximum = fc.option(fc.constantFrom(1000, 1700), { nil: undefined, freq: 1 });

const anyVariant = fc
  .record({
    price: fc.integer({ min: 0, max: 5 }).map((price) => price * 100),
    state: fc.constantFrom("in_stock" as const, "backorder" as const, "out_of_stock" as const),
    color: some("grey", "blue", "green"),
    material: some("oak", "teak"),
  })
  .map(
    ({ price, state, ...facets }) =>
      (sku: string) =>
        aCardVariant(sku, {
          shown: {
            price,
            availability: { state, quantity: null, lead_time: { min_days: 1, max_days: 2 } },
          },
          ...facets,
        }),
  );

const anyEntry = fc
  .record({
    variants: fc.array(anyVariant, { maxLength: 3 }),
    kind: fc.constantFrom("product" as const, "sofa" as const),
    name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    price: fc.integer({ min: 0, max: 5 }).map((price) => price * 100),
    category: some("chairs", "tables", "beds"),
    room: some("living-room", "bedroom"),
    color: some("grey", "blue", "green"),
    tag: some("new", "sale", "in:out"),
    seats: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
    width_mm: anyMeasure,
    depth_mm: anyMeasure,
    height_mm: anyMeasure,
    in_stock: fc.boolean(),
    day: fc.integer({ min: 1, max: 5 }),
    popularity: fc.integer({ min: 0, max: 3 }),
    keywords: someWords,
    body: someWords,
    skus: some("SOFA-1", "SOFA-10", "CHAIR.9", "SO", "TEAK"),
  })
  .map((from) => (id: string) => {
    const name = from.name.join(" ");
    const variants = from.kind === "sofa" ? [] : from.variants.map((make, at) => make(`V-${at}`));
    const entry = anEntry(id, {
      card: { kind: from.kind, name, price: from.price },
      facets: { category: from.category, room: from.room, color: from.color, tag: from.tag },
      seats: from.seats,
      width_mm: from.width_mm,
      depth_mm: from.depth_mm,
      height_mm: from.height_mm,
      in_stock: from.in_stock,
      published_at: `2026-01-0${from.day}T00:00:00.000Z`,
      popularity: from.popularity,
      skus: from.skus,
      text: { kind: from.kind, attributes: from.keywords, body: from.body },
    });
    return withVariants(entry, variants);
  });

/** Up to `max` entries with distinct ids. */
export function entries(max: number): fc.Arbitrary<ReturnType<typeof anEntry>[]> {
  return fc
    .array(anyEntry, { maxLength: max, size: "max" })
    .map((makers) => makers.map((make, at) => make(`id${at}`)));
}

/** New versions of some cards of a catalog, and new cards. */
export function laterEntries(): fc.Arbitrary<ReturnType<typeof anEntry>[]> {
  return fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 50 }), anyEntry), {
      maxLength: 8,
      selector: ([at]) => at,
    })
    .map((list) => list.map(([at, make]) => make(`id${at}`)));
}

const misspelt = ["so", "s", "sofe", "vlevet", "bokocase", "boookcsae", "creme", "zzzz"];

export const searches = fc
  .array(fc.constantFrom(...words, ...misspelt), { maxLength: 2 })
  .map((list) => list.join(" "));

const anySearch = fc.oneof(searches, fc.constantFrom("sofa-1", "SOFA-", "chair.", "teak", "cha"));

export const queries = fc.record({
  kind: fc.constantFrom("product" as const, "sofa" as const, undefined),
  filters: fc.record(
    {
      category: some("chairs", "tables", "unknown"),
      room: some("living-room", "bedroom"),
      color: some("grey", "blue"),
      material: some("oak", "unknown"),
      tag: some("new", "in:out"),
      seats: some("2", "3"),
    },
    { requiredKeys: [] },
  ),
  price_min: fc.option(fc.constantFrom(100, 200), { nil: undefined }),
  price_max: fc.option(fc.constantFrom(100, 300), { nil: undefined }),
  in_stock: fc.constantFrom(true, false, undefined),
  width_max_mm: anyMaximum,
  depth_max_mm: anyMaximum,
  height_max_mm: anyMaximum,
  q: fc.option(anySearch, { nil: undefined }),
  sort: fc.constantFrom(
    "newest" as const,
    "price" as const,
    "-price" as const,
    "name" as const,
    "popular" as const,
    "relevance" as const,
    undefined,
  ),
  page: fc.integer({ min: 1, max: 3 }),
  per_page: fc.integer({ min: 1, max: 12 }),
  facets: fc.constant(true),
});
