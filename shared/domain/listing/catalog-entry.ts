import { type StockLevel, isInStock } from "../catalog/availability.ts";
import type { Card, CatalogEntry, FacetLabel, Look } from "../catalog/card.ts";
import type { CategoryRef } from "../catalog/category.ts";
import { inWords } from "../base/names.ts";
import { plainText } from "../base/plain-text.ts";
import { type PublishedMaterial, materialSwatch } from "../catalog/material.ts";
import {
  cardOfVariants,
  swatchOption,
  swatchesOf,
  variantsOnCard,
} from "../catalog/product-card.ts";
import type { PublishedProduct } from "../catalog/product.ts";
import { mainPicture } from "../upload/media.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";
import { type MaterialsByCode, offeredMaterials, sofaCard } from "../sofa/sofa-card.ts";

/** The product's row in the catalog index. */
export function productEntry(
  published: PublishedProduct,
  levels: readonly StockLevel[],
): CatalogEntry {
  const variants = variantsOnCard(published, levels);
  const entry = entryOf(published, cardOfVariants(published, variants), []);
  const { material, color } = entry.facets;
  return {
    ...entry,
    facets: {
      ...entry.facets,
      material: material.filter((value) => variants.some((one) => one.material.includes(value))),
      color: color.filter((value) => variants.some((one) => one.color.includes(value))),
    },
    in_stock: variants.some(({ shown }) => isInStock(shown.availability)),
    variants,
  };
}

/** The sofa's row in the catalog index. */
export const sofaEntry = (published: PublishedSofa, materials: MaterialsByCode): CatalogEntry =>
  entryOf(published, sofaCard(published, materials), offeredMaterials(published, materials));

/** @param cloths the materials that a sofa offers; empty for a product */
function entryOf(
  published: PublishedProduct | PublishedSofa,
  card: Card,
  cloths: readonly PublishedMaterial[],
): CatalogEntry {
  const values =
    published.kind === "product" ? published.options.flatMap((option) => option.values) : [];
  const material = unique([
    ...published.materials,
    ...cloths.map(({ type }) => ({ code: type, label: inWords(type) })),
  ]);
  const colors = [
    ...new Set([
      ...values.flatMap(({ swatch }) => swatch?.color_group ?? []),
      ...cloths.map(({ color }) => color.group),
    ]),
  ];
  const collections = published.collection ? [published.collection] : [];
  const kind = kindOf(published);
  return {
    card,
    facets: {
      category: published.category_path.map(({ slug }) => slug),
      collection: collections.map(({ slug }) => slug),
      room: published.rooms.map(({ slug }) => slug),
      style: published.styles.map(({ slug }) => slug),
      material: material.map(({ code }) => code),
      color: colors,
      tag: published.tags,
    },
    labels: {
      category: labelsOf(published.category_path),
      collection: labelsOf(collections),
      room: labelsOf(published.rooms),
      style: labelsOf(published.styles),
      material: Object.fromEntries(material.map(({ code, label }) => [code, { label }])),
    },
    seats: seatsOf(published),
    width_mm: smallest(published, "width_mm"),
    depth_mm: smallest(published, "depth_mm"),
    height_mm: smallest(published, "height_mm"),
    in_stock: isInStock(card.availability),
    sold_out: card.availability.state === "out_of_stock",
    published_at: published.published_at,
    popularity: published.popularity,
    related_ids: published.related_ids,
    skus: published.kind === "product" ? published.variants.map(({ sku }) => sku) : [],
    variants: [],
    looks: published.kind === "product" ? productLooks(published) : cloths.map(materialLook),
    text: {
      name: published.name,
      kind,
      noun: nounOf(published.name),
      attributes: [
        ...material.map(({ label }) => label),
        ...(published.kind === "product"
          ? published.options.flatMap((option) => option.values.map(({ label }) => label))
          : requiredLabels(published)),
        ...cloths.flatMap(({ name, family, color }) => [name, family, color.name]),
        ...colors,
        ...seatsOf(published).map((seats) => `${seats} seater`),
        ...sizesInCentimetres(published),
      ].join("\n"),
      subtitle: published.subtitle ?? "",
      context: [
        ...[
          ...published.category_path.slice(kind === published.category.name ? 1 : 0),
          ...collections,
          ...published.rooms,
          ...published.styles,
        ].map(({ name }) => name),
        ...published.tags,
        ...published.badges,
      ].join("\n"),
      body: plainText(published.description_html),
    },
  };
}

/** The category's name or, of a name such as "Benches & Stools", the part that the item's own name repeats. */
function kindOf({ category, name }: PublishedProduct | PublishedSofa): string {
  const nouns = nounOf(name).toLowerCase().split("\n");
  const parts = category.name.split(/\s*(?:[&,/]|\band\b)\s*/i);
  const own = parts.filter((part) => nouns.some((noun) => part.toLowerCase().startsWith(noun)));
  return own.length > 0 ? own.join("\n") : category.name;
}

/** The last noun of a name: "chair" of "Lounge Chair in Oak", "chest" and "drawers" of "Chest of Drawers". */
function nounOf(name: string): string {
  const [head = ""] = name.split(/\s*[,(|–—]|\s+(?:with|in|for|by|from)\s+/i);
  return head
    .split(/\s+of\s+/i)
    .map((part) => part.split(/\s+/).at(-1))
    .join("\n");
}

/** The labels of options that every sofa of the model has, such as its sizes and legs. */
const requiredLabels = ({ option_groups }: PublishedSofa): string[] =>
  option_groups.flatMap(({ required, values, code }) =>
    required || code === "size" ? values.flatMap(({ label }) => label ?? []) : [],
  );

/** The width and diameter in centimetres, because buyers search for "180 cm desk". */
function sizesInCentimetres({ dimensions }: PublishedProduct | PublishedSofa): string[] {
  const { width_mm, diameter_mm } = dimensions;
  return [width_mm, diameter_mm].flatMap((mm) => (mm ? `${Math.round(mm / 10)} cm` : []));
}

/**
 * The looks of the first option with swatches, as on the card. Each look has the picture of the first variant with that
 * value.
 */
function productLooks(product: PublishedProduct): Look[] {
  const { variants, media } = product;
  const option = swatchOption(product);
  if (!option || option.values.length < 2) return [];
  const onCard = new Map(swatchesOf(product).map((swatch) => [swatch.code, swatch]));
  return option.values.flatMap(({ code, label, swatch }) => {
    const shown = onCard.get(code);
    if (!swatch || !shown) return [];
    const variant = variants.find(({ options: chosen }) => chosen[option.code] === code);
    const picture = media.find(({ id, type }) => type === "image" && id === variant?.media_ids[0]);
    return [
      {
        words: [label, inWords(swatch.color_group ?? "")].join("\n"),
        swatch: shown,
        image: picture ? mainPicture([picture]) : null,
      },
    ];
  });
}

const materialLook = (material: PublishedMaterial): Look => ({
  words: [material.name, material.family, material.color.group, inWords(material.type)].join("\n"),
  swatch: materialSwatch(material),
  image: null,
});

function seatsOf(published: PublishedProduct | PublishedSofa): number[] {
  if (published.kind === "product") return [];
  const chosen = published.option_groups.flatMap(({ values }) =>
    values.flatMap(({ seats }) => seats ?? []),
  );
  return [...new Set(chosen.length > 0 ? chosen : [published.seats])].toSorted((a, b) => a - b);
}

/** The smallest available measure, or null if unknown. A round product is as wide and deep as its diameter. */
function smallest(
  { dimensions: own, ...published }: PublishedProduct | PublishedSofa,
  measure: "width_mm" | "depth_mm" | "height_mm",
): number | null {
  const choices =
    published.kind === "sofa"
      ? published.option_groups.flatMap(({ values }) =>
          values.flatMap(({ dimensions }) => dimensions ?? []),
        )
      : [];
  const known = [own, ...choices].flatMap(
    (each) => each[measure] ?? (measure === "height_mm" ? null : each.diameter_mm) ?? [],
  );
  return known.length > 0 ? Math.min(...known) : null;
}

const labelsOf = (refs: readonly CategoryRef[]): Record<string, FacetLabel> =>
  Object.fromEntries(refs.map(({ slug, name }) => [slug, { label: name }]));

const unique = <Item extends { code: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.code, item])).values(),
];
