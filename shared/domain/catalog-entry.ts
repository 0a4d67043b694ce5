import { type StockLevel, availabilityOf } from "./availability.ts";
import type { Card, CatalogEntry, FacetLabel, Swatch } from "./card.ts";
import type { CategoryRef } from "./category.ts";
import { type LiveMaterial, materialSwatch } from "./material.ts";
import { mainPicture } from "./media.ts";
import { inWords } from "./names.ts";
import { plainText } from "./plain-text.ts";
import type { LiveProduct, LiveSellable } from "./product.ts";
import type { LiveSofa } from "./sofa.ts";
import { materialCodes } from "./sofa-choices.ts";
import { cheapestPrice } from "./sofa-price-from.ts";

type MaterialsByCode = ReadonlyMap<string, LiveMaterial>;

/** A card shows no more swatches than these. */
const shownSwatches = 12;

const cardMembers = (live: LiveSellable) => ({
  id: live.id,
  slug: live.slug,
  name: live.name,
  subtitle: live.subtitle,
  category: { slug: live.category.slug, name: live.category.name },
  image: mainPicture(live.media),
  currency: live.currency,
  badges: live.badges,
});

/** A product's card: the price of its cheapest variant, the best availability of any. */
export function productCard(live: LiveProduct, levels: readonly StockLevel[]): Card {
  const cheapest = live.variants.reduce((least, next) => (next.price < least.price ? next : least));
  const skus = live.variants.map(({ sku }) => sku);
  return {
    ...cardMembers(live),
    kind: "product",
    price: cheapest.price,
    compare_at_price: cheapest.compare_at_price,
    price_from: live.variants.some(({ price }) => price !== cheapest.price),
    swatches: optionSwatches(live).slice(0, shownSwatches),
    availability: availabilityOf(skus, levels, live),
  };
}

/** A sofa's card: the price of its cheapest configuration; without any the base price, and not available. */
export function sofaCard(live: LiveSofa, materials: MaterialsByCode): Card {
  const cheapest = cheapestPrice(live, materials);
  return {
    ...cardMembers(live),
    kind: "sofa",
    price: cheapest ?? live.base_price,
    compare_at_price: live.compare_at_price,
    price_from: live.option_groups.length > 0,
    swatches: offered(live, materials).map(materialSwatch).slice(0, shownSwatches),
    availability: {
      state: cheapest === null ? "out_of_stock" : "made_to_order",
      quantity: null,
      lead_time: live.lead_time,
    },
  };
}

/**
 * The row of the catalog view.
 *
 * @param card of the same live copy
 * @param materials those that a sofa offers; empty for a product
 */
export function catalogEntry(
  live: LiveProduct | LiveSofa,
  card: Card,
  materials: MaterialsByCode,
): CatalogEntry {
  const cloths = live.kind === "sofa" ? offered(live, materials) : [];
  const values = live.kind === "product" ? live.options.flatMap((option) => option.values) : [];
  const material = unique([
    ...live.materials,
    ...cloths.map(({ type }) => ({ code: type, label: inWords(type) })),
  ]);
  const colors = [
    ...new Set([
      ...values.flatMap(({ swatch }) => swatch?.color_group ?? []),
      ...cloths.map(({ color }) => color.group),
    ]),
  ];
  const collections = live.collection ? [live.collection] : [];
  return {
    card,
    facets: {
      category: live.category_path.map(({ slug }) => slug),
      collection: collections.map(({ slug }) => slug),
      room: live.rooms.map(({ slug }) => slug),
      style: live.styles.map(({ slug }) => slug),
      material: material.map(({ code }) => code),
      color: colors,
      tag: live.tags,
    },
    labels: {
      category: labelsOf(live.category_path),
      collection: labelsOf(collections),
      room: labelsOf(live.rooms),
      style: labelsOf(live.styles),
      material: Object.fromEntries(material.map(({ code, label }) => [code, { label }])),
    },
    seats: seatsOf(live),
    width_mm: narrowest(live),
    in_stock: card.availability.state === "in_stock" || card.availability.state === "low_stock",
    published_at: live.published_at,
    popularity: live.popularity,
    related_ids: live.related_ids,
    skus: live.kind === "product" ? live.variants.map(({ sku }) => sku) : [],
    text: {
      name: live.name,
      keywords: [
        live.subtitle ?? "",
        ...[...live.category_path, ...collections, ...live.rooms, ...live.styles].map(
          ({ name }) => name,
        ),
        ...material.map(({ label }) => label),
        ...values.map(({ label }) => label),
        ...cloths.map(({ name }) => name),
        ...colors,
        ...live.tags,
      ].join(" "),
      body: plainText(live.description_html),
    },
  };
}

/** The swatches of the first option that has any, usually the colour. */
function optionSwatches({ options }: LiveProduct): Swatch[] {
  const swatches = options.map(({ values }) =>
    values.flatMap(({ code, label, swatch }) =>
      swatch ? [{ code, label, hex: swatch.hex, image: swatch.image }] : [],
    ),
  );
  return swatches.find((list) => list.length > 0) ?? [];
}

const offered = (live: LiveSofa, materials: MaterialsByCode): LiveMaterial[] =>
  materialCodes(live).flatMap((code) => materials.get(code) ?? []);

function seatsOf(live: LiveProduct | LiveSofa): number[] {
  if (live.kind === "product") return [];
  const chosen = live.option_groups.flatMap(({ values }) =>
    values.flatMap(({ seats }) => seats ?? []),
  );
  return [...new Set(chosen.length > 0 ? chosen : [live.seats])].toSorted((a, b) => a - b);
}

/** The width that a filter goes by: the least that it comes in. */
function narrowest(live: LiveProduct | LiveSofa): number | null {
  const own = live.dimensions.width_mm;
  if (live.kind === "product") return own;
  const widths = live.option_groups.flatMap(({ values }) =>
    values.flatMap(({ dimensions }) => dimensions?.width_mm ?? []),
  );
  return widths.length > 0 ? Math.min(...widths, own ?? Infinity) : own;
}

const labelsOf = (refs: readonly CategoryRef[]): Record<string, FacetLabel> =>
  Object.fromEntries(refs.map(({ slug, name }) => [slug, { label: name }]));

const unique = <Item extends { code: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.code, item])).values(),
];
