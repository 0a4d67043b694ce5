import * as z from "zod";
import { Card } from "../../domain/catalog/card.ts";
import { Categories } from "../../domain/catalog/category.ts";
import { PublishedMaterial, Material } from "../../domain/catalog/material.ts";
import {
  PublishedProduct,
  Product,
  type Sellable,
  categoryReferences,
  sellableReferences,
} from "../../domain/catalog/product.ts";
import {
  PublishedSofa,
  Sofa,
  defaultMaterials,
  materialReferences,
} from "../../domain/sofa/sofa.ts";
import { Sku } from "../../domain/base/names.ts";
import { Stock, StockOwner } from "../../domain/catalog/stock.ts";
import { type Referring, entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

/** Catalog records that have a slug or code. */
export type NamedKind = "product" | "sofa" | "material";

/** The partition of the first index that lists the published copies of a kind. */
export const publishedPartition = (kind: NamedKind) => `LIVE#${kind}`;

type ById = { id: string };
type BySlug = { slug: string };
type ByCode = { code: string };
type BySku = { sku: string };

/** The partitions of the first index that list all records of a kind, drafts included. */
export const draftPartition = {
  product: "PRODUCTS",
  sofa: "SOFAS",
  material: "MATERIALS",
} as const satisfies Record<NamedKind, string>;

const refersAsSellable = {
  to: ["product", "sofa", "tax_class", "category", "collection", "room", "style"],
  references: (sellable: Sellable) => [
    ...sellableReferences(sellable),
    ...categoryReferences(sellable),
  ],
  label: ({ name }: Sellable) => name,
} as const satisfies Referring;

/**
 * Drafts: what staff edit. `gsi1` lists them, so that the staff's catalog index can be rebuilt. One partition of `gsi1`
 * is enough, because only staff write drafts.
 */
export const Products = entity({
  name: "product",
  showsPictures: true,
  schema: Product,
  refers: { ...refersAsSellable, list: { index: "gsi1", partition: draftPartition.product } },
  key: ({ id }: ById) => ({ pk: `PRODUCT#${id}`, sk: "PRODUCT" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.product, sk: id }) },
});
export const Sofas = entity({
  name: "sofa",
  showsPictures: true,
  schema: Sofa,
  refers: {
    ...refersAsSellable,
    to: [...refersAsSellable.to, "material"],
    // What else offers a material, such as an archived sofa, no longer does if the material is gone.
    references: (sofa) => [
      ...refersAsSellable.references(sofa),
      ...(sofa.status === "draft" ? materialReferences(sofa) : []),
    ],
    list: { index: "gsi1", partition: draftPartition.sofa },
  },
  key: ({ id }: ById) => ({ pk: `SOFA#${id}`, sk: "SOFA" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.sofa, sk: id }) },
});
export const Materials = entity({
  name: "material",
  showsPictures: true,
  schema: Material,
  key: ({ id }: ById) => ({ pk: `MATERIAL#${id}`, sk: "MATERIAL" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.material, sk: id }) },
});

/**
 * Published copies: what the public reads, keyed by slug. Only published records have a copy. `gsi1` lists the copies,
 * so that the catalog index can be rebuilt.
 */
export const PublishedProducts = entity({
  name: "published_product",
  showsPictures: true,
  isPublic: true,
  notExported: "derived",
  schema: PublishedProduct,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#product#${slug}`, sk: "LIVE" }),
  indexes: { gsi1: ({ slug }) => ({ pk: publishedPartition("product"), sk: slug }) },
});
export const PublishedSofas = entity({
  name: "published_sofa",
  showsPictures: true,
  isPublic: true,
  notExported: "derived",
  schema: PublishedSofa,
  // A published sofa needs the materials that it uses by default, and can do without the others.
  refers: {
    to: ["material"],
    references: (sofa) =>
      defaultMaterials(sofa).map((id) => ({ path: "option_groups", kind: "material", id })),
    list: { index: "gsi1", partition: publishedPartition("sofa") },
    as: { kind: "sofa" },
    label: ({ name }) => name,
  },
  key: ({ slug }: BySlug) => ({ pk: `LIVE#sofa#${slug}`, sk: "LIVE" }),
  indexes: { gsi1: ({ slug }) => ({ pk: publishedPartition("sofa"), sk: slug }) },
});
export const PublishedMaterials = entity({
  name: "published_material",
  showsPictures: true,
  isPublic: true,
  notExported: "derived",
  schema: PublishedMaterial,
  key: ({ code }: ByCode) => ({ pk: `LIVE#material#${code}`, sk: "LIVE" }),
  indexes: { gsi1: ({ code }) => ({ pk: publishedPartition("material"), sk: code }) },
});
export const CategoryTree = entity({
  name: "categories",
  showsPictures: true,
  isPublic: true,
  schema: Categories,
  key: () => ({ pk: "LIVE#categories", sk: "LIVE" }),
});
/**
 * The version of the categories. It has a row of its own, because the cost of a condition check in a transaction grows
 * with the size of the checked item.
 */
export const CategoryVersion = entity({
  name: "category_version",
  notExported: "derived",
  schema: Categories.pick({ version: true }),
  key: () => ({ pk: "CATEGORIES", sk: "VERSION" }),
});

/** All kinds that claim slugs. */
export type ClaimedKind = NamedKind | "page" | "story";

/**
 * The owner of a slug or material code. Drafts and archived records have a claim too, although they have no published
 * copy. A record of the demo shop that staff have never saved has no claim; only its published copy holds the slug.
 */
export const SlugClaims = entity({
  name: "slug_claim",
  notExported: "derived",
  schema: z.object({ id: z.string() }),
  key: ({ kind, slug }: { kind: ClaimedKind; slug: string }) => ({
    pk: `SLUG#${kind}#${slug}`,
    sk: "SLUG",
  }),
});

/** The number of products and sofas that refer to a category, drafts and archived ones included. */
export const CategoryUses = entity({
  name: "category_uses",
  notExported: "derived",
  schema: z.object({ uses: z.int().min(0) }),
  key: ({ id }: ById) => ({ pk: `CATEGORY#${id}`, sk: "USES" }),
});

export const Stocks = entity({
  name: "stock",
  schema: Stock,
  key: ({ id }: ById) => ({ pk: `STOCK#${id}`, sk: "STOCK" }),
});

/**
 * The stock that a SKU names, and its owner, whose slug may have changed since the SKU was claimed. A SKU without a row
 * names nothing.
 */
export const SkuClaim = z.object({ sku: Sku, stock_id: z.string(), owner: StockOwner });
export type SkuClaim = z.output<typeof SkuClaim>;
export const SkuClaims = entity({
  name: "sku_claim",
  notExported: "derived",
  schema: SkuClaim,
  key: ({ sku }: BySku) => ({ pk: `SKU#${sku}`, sk: "SKU" }),
});

/** The current card of a published product or sofa, with its availability. Written by the catalog index writer. */
export const Cards = entity({
  name: "card",
  notExported: "derived",
  schema: Card,
  key: ({ id }: ById) => ({ pk: `CARD#${id}`, sk: "CARD" }),
});

export interface PublishedCatalog {
  /**
   * Reads a published product and the stock of its variants, with one read if `variants` has the ids of all variants.
   *
   * @param variants the expected ids of the product's variants; missing ones cost a second read
   */
  findProductWithStock(
    slug: string,
    variants: readonly string[],
  ): Promise<{ product: PublishedProduct; stock: Stock[] } | undefined>;
  findProduct(slug: string): Promise<PublishedProduct | undefined>;
  findSofa(slug: string): Promise<PublishedSofa | undefined>;
  /** The current cards of these products and sofas. Unpublished ones are left out. */
  cards(ids: readonly string[]): Promise<Map<string, Card>>;
}

export function openPublishedCatalog(table: Table): PublishedCatalog {
  return {
    async findProductWithStock(slug, variants) {
      const { published, stock } = await table.getMany({
        published: [at(PublishedProducts, { slug })],
        stock: variants.map((id) => at(Stocks, { id })),
      });
      const product = published[0];
      if (!product) return undefined;
      const unread = product.variants.filter(({ id }) => !variants.includes(id));
      const more =
        unread.length > 0
          ? await table.getMany({ stock: unread.map(({ id }) => at(Stocks, { id })) })
          : undefined;
      return {
        product,
        stock: [...stock, ...(more?.stock ?? [])].filter((row) => row !== undefined),
      };
    },
    findProduct: (slug) => table.get(PublishedProducts, { slug }),
    findSofa: (slug) => table.get(PublishedSofas, { slug }),
    async cards(ids) {
      if (ids.length === 0) return new Map();
      const { cards } = await table.getMany({ cards: ids.map((id) => at(Cards, { id })) });
      return new Map(cards.filter((card) => card !== undefined).map((card) => [card.id, card]));
    },
  };
}
