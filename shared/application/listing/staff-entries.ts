import * as z from "zod";
import type { IndexEntry } from "#shared/search/segment.ts";
import type { Material } from "#shared/domain/catalog/material.ts";
import type { Product } from "#shared/domain/catalog/product.ts";
import type { Sofa } from "#shared/domain/sofa/sofa.ts";
import {
  AdminMaterialRow,
  AdminProductRow,
  AdminSofaRow,
  StockedItem,
  adminProductRow,
  adminSofaRow,
  stockedItem,
} from "#shared/domain/listing/admin-rows.ts";
import { parsedBy } from "#shared/domain/base/parsed-json.ts";
import { type Stock, isLow } from "#shared/domain/catalog/stock.ts";

/**
 * Members that every index row must have. Responses with materials and stock drop those that their schemas do not
 * declare.
 */
const indexed = { slug: z.string(), name: z.string(), price: z.int().nullable() };
const MaterialCard = AdminMaterialRow.extend(indexed);
const StockCard = StockedItem.extend({ ...indexed, id: z.string(), kind: z.literal("stock") });

/** Members that no staff list uses. */
const unused = {
  seats: [],
  width_mm: null,
  depth_mm: null,
  height_mm: null,
  in_stock: false,
  sold_out: false,
  looks: [],
  variants: [],
  related_ids: [],
} as const;

const inWords = (codes: readonly string[]) =>
  codes.map((code) => code.replaceAll("-", " ")).join("\n");

export function staffProductEntry(product: Product): IndexEntry {
  const card = parsedBy(AdminProductRow, adminProductRow(product));
  return { card, ...sellable(product, card.skus) };
}

export function staffSofaEntry(sofa: Sofa): IndexEntry {
  const card = parsedBy(AdminSofaRow, adminSofaRow(sofa));
  return { card, ...sellable(sofa, []) };
}

function sellable(record: Product | Sofa, skus: readonly string[]) {
  const { name, slug, category_slug, collection_slug, subtitle } = record;
  return {
    ...unused,
    facets: {
      status: [record.status],
      category: [category_slug],
      collection: collection_slug === null ? [] : [collection_slug],
      room: record.rooms,
      style: record.styles,
      tag: record.tags,
    },
    published_at: record.updated_at,
    popularity: record.popularity,
    skus,
    text: {
      name,
      kind: inWords([category_slug]),
      noun: "",
      attributes: [slug, ...skus].join("\n"),
      subtitle: subtitle ?? "",
      context: inWords([...record.rooms, ...record.styles, ...record.tags, collection_slug ?? ""]),
      body: "",
    },
  };
}

export function materialEntry(material: Material): IndexEntry {
  const { code, name, family, swatch } = material;
  return {
    ...unused,
    card: parsedBy(MaterialCard, {
      ...material,
      kind: "material",
      slug: code,
      price: material.price_per_meter,
    }),
    facets: { status: [material.status], type: [material.type], grade: [material.grade] },
    published_at: material.updated_at,
    popularity: 0,
    skus: swatch.sku === null ? [] : [swatch.sku],
    text: {
      name,
      kind: inWords([material.type]),
      noun: "",
      attributes: [code, family, swatch.sku ?? "", material.color.group].join("\n"),
      subtitle: "",
      context: "",
      body: "",
    },
  };
}

/** The inventory row of stock; undefined if its owner is gone. */
export function stockEntry(
  row: Stock,
  product: Product | undefined,
  material: Material | undefined,
): IndexEntry | undefined {
  const thing = stockedItem(row, product, material);
  if (!thing) return undefined;
  const name = [thing.product.name, thing.variant?.label ?? ""].filter(Boolean).join(", ");
  return {
    ...unused,
    card: parsedBy(StockCard, {
      ...thing,
      id: row.id,
      kind: "stock",
      slug: thing.sku,
      name,
      price: null,
    }),
    facets: { low: isLow(row) ? ["yes"] : [] },
    published_at: row.updated_at,
    popularity: 0,
    skus: [thing.sku],
    text: {
      name,
      kind: "",
      noun: "",
      attributes: [thing.sku, thing.product.slug].join("\n"),
      subtitle: "",
      context: "",
      body: "",
    },
  };
}
