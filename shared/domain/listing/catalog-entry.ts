import type { Card, CatalogEntry, FacetLabel } from "../catalog/card.ts";
import type { CategoryRef } from "../catalog/category.ts";
import { inWords } from "../base/names.ts";
import { plainText } from "../base/plain-text.ts";
import type { PublishedProduct } from "../catalog/product.ts";
import type { PublishedSofa } from "../sofa/sofa.ts";

import { type MaterialsByCode, offeredMaterials } from "../sofa/sofa-card.ts";

/**
 * The record's row in the catalog index.
 *
 * @param card the card of the same published copy
 * @param materials the materials that a sofa offers; empty for a product
 */
export function catalogEntry(
  published: PublishedProduct | PublishedSofa,
  card: Card,
  materials: MaterialsByCode,
): CatalogEntry {
  const cloths = published.kind === "sofa" ? offeredMaterials(published, materials) : [];
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
    width_mm: narrowest(published),
    in_stock: card.availability.state === "in_stock" || card.availability.state === "low_stock",
    published_at: published.published_at,
    popularity: published.popularity,
    related_ids: published.related_ids,
    skus: published.kind === "product" ? published.variants.map(({ sku }) => sku) : [],
    text: {
      name: published.name,
      keywords: [
        published.subtitle ?? "",
        ...[
          ...published.category_path,
          ...collections,
          ...published.rooms,
          ...published.styles,
        ].map(({ name }) => name),
        ...material.map(({ label }) => label),
        ...values.map(({ label }) => label),
        ...cloths.map(({ name }) => name),
        ...colors,
        ...published.tags,
      ].join(" "),
      body: plainText(published.description_html),
    },
  };
}

function seatsOf(published: PublishedProduct | PublishedSofa): number[] {
  if (published.kind === "product") return [];
  const chosen = published.option_groups.flatMap(({ values }) =>
    values.flatMap(({ seats }) => seats ?? []),
  );
  return [...new Set(chosen.length > 0 ? chosen : [published.seats])].toSorted((a, b) => a - b);
}

/** The width that the width filter compares: the smallest available width, or null if unknown. */
function narrowest(published: PublishedProduct | PublishedSofa): number | null {
  const own = published.dimensions.width_mm;
  if (published.kind === "product") return own;
  const widths = published.option_groups.flatMap(({ values }) =>
    values.flatMap(({ dimensions }) => dimensions?.width_mm ?? []),
  );
  return widths.length > 0 ? Math.min(...widths, own ?? Infinity) : own;
}

const labelsOf = (refs: readonly CategoryRef[]): Record<string, FacetLabel> =>
  Object.fromEntries(refs.map(({ slug, name }) => [slug, { label: name }]));

const unique = <Item extends { code: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.code, item])).values(),
];
