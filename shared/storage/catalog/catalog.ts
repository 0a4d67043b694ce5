import * as z from "zod";
import { Card } from "../../domain/catalog/card.ts";
import { Categories } from "../../domain/catalog/category.ts";
import { PublishedMaterial, Material } from "../../domain/catalog/material.ts";
import { PublishedProduct, Product } from "../../domain/catalog/product.ts";
import { PublishedSofa, Sofa } from "../../domain/sofa/sofa.ts";
import { Stock } from "../../domain/catalog/stock.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

/** What can be asked for by a name of its own. */
export type NamedKind = "product" | "sofa" | "material";

/** The part of the first index that lists what is live of a kind. */
export const publishedPartition = (kind: NamedKind) => `LIVE#${kind}`;

type ById = { id: string };
type BySlug = { slug: string };
type ByCode = { code: string };
type BySku = { sku: string };

/** The parts of the first index that list all there is of a kind, drafts included. */
export const draftPartition = {
  product: "PRODUCTS",
  sofa: "SOFAS",
  material: "MATERIALS",
} as const satisfies Record<NamedKind, string>;

/**
 * Drafts: what staff edit. The index lists them for the writer of staff's view when it begins anew; only staff
 * write them, so that its part bears them all.
 */
export const Products = entity({
  name: "product",
  schema: Product,
  key: ({ id }: ById) => ({ pk: `PRODUCT#${id}`, sk: "PRODUCT" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.product, sk: id }) },
});
export const Sofas = entity({
  name: "sofa",
  schema: Sofa,
  key: ({ id }: ById) => ({ pk: `SOFA#${id}`, sk: "SOFA" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.sofa, sk: id }) },
});
export const Materials = entity({
  name: "material",
  schema: Material,
  key: ({ id }: ById) => ({ pk: `MATERIAL#${id}`, sk: "MATERIAL" }),
  indexes: { gsi1: ({ id }) => ({ pk: draftPartition.material, sk: id }) },
});

/**
 * Published copies: what the public reads, under the slug it asks for. Published things alone have one. The index lists
 * them for whoever must know all of a kind, which is the catalog view's writer when it begins anew.
 */
export const PublishedProducts = entity({
  name: "published_product",
  schema: PublishedProduct,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#product#${slug}`, sk: "LIVE" }),
  indexes: { gsi1: ({ slug }) => ({ pk: publishedPartition("product"), sk: slug }) },
});
export const PublishedSofas = entity({
  name: "published_sofa",
  schema: PublishedSofa,
  key: ({ slug }: BySlug) => ({ pk: `LIVE#sofa#${slug}`, sk: "LIVE" }),
  indexes: { gsi1: ({ slug }) => ({ pk: publishedPartition("sofa"), sk: slug }) },
});
export const PublishedMaterials = entity({
  name: "published_material",
  schema: PublishedMaterial,
  key: ({ code }: ByCode) => ({ pk: `LIVE#material#${code}`, sk: "LIVE" }),
  indexes: { gsi1: ({ code }) => ({ pk: publishedPartition("material"), sk: code }) },
});
export const CategoryTree = entity({
  name: "categories",
  schema: Categories,
  key: () => ({ pk: "LIVE#categories", sk: "LIVE" }),
});
/** The version of the categories by itself: to check it in a transaction costs what the item weighs that is named. */
export const CategoryVersion = entity({
  name: "category_version",
  schema: Categories.pick({ version: true }),
  key: () => ({ pk: "CATEGORIES", sk: "VERSION" }),
});

/** What else claims its slug. */
export type ClaimedKind = NamedKind | "page" | "story";

/**
 * Who has a slug, or a material's code: drafts and archived things too, which have no published copy to hold it. What was
 * published before it was ever edited here holds it by its published copy alone.
 */
export const SlugClaims = entity({
  name: "slug_claim",
  schema: z.object({ id: z.string() }),
  key: ({ kind, slug }: { kind: ClaimedKind; slug: string }) => ({
    pk: `SLUG#${kind}#${slug}`,
    sk: "SLUG",
  }),
});

/** How many products and sofas refer to a category, drafts and archived ones included. */
export const CategoryUses = entity({
  name: "category_uses",
  schema: z.object({ uses: z.int().min(0) }),
  key: ({ id }: ById) => ({ pk: `CATEGORY#${id}`, sk: "USES" }),
});

export const Stocks = entity({
  name: "stock",
  schema: Stock,
  key: ({ sku }: BySku) => ({ pk: `STOCK#${sku}`, sk: "STOCK" }),
});

export const droppedSkus = "DROPPEDSKUS";

/**
 * SKUs that their products named no more while there still were units. Stock rows stand in no index, which every sale
 * would write to; the others are found by what names them.
 */
export const DroppedSkus = entity({
  name: "dropped_sku",
  schema: z.object({ sku: z.string() }),
  key: ({ sku }: BySku) => ({ pk: droppedSkus, sk: sku }),
});

/** The current card of a published product or sofa, availability included; kept by the catalog view's writer. */
export const Cards = entity({
  name: "card",
  schema: Card,
  key: ({ id }: ById) => ({ pk: `CARD#${id}`, sk: "CARD" }),
});

export interface PublishedCatalog {
  /**
   * A published product and the stock of its variants, in one step when `skus` names them all.
   *
   * @param skus what the caller believes the product's SKUs are; others cost a second step
   */
  findProduct(
    slug: string,
    skus: readonly string[],
  ): Promise<{ product: PublishedProduct; stock: Stock[] } | undefined>;
  findSofa(slug: string): Promise<PublishedSofa | undefined>;
  /** The present cards of these products and sofas; what is no longer public is left out. */
  cards(ids: readonly string[]): Promise<Map<string, Card>>;
}

export function openPublishedCatalog(table: Table): PublishedCatalog {
  return {
    async findProduct(slug, skus) {
      const { published, stock } = await table.getMany({
        published: [at(PublishedProducts, { slug })],
        stock: skus.map((sku) => at(Stocks, { sku })),
      });
      const product = published[0];
      if (!product) return undefined;
      const unread = product.variants.map(({ sku }) => sku).filter((sku) => !skus.includes(sku));
      const more =
        unread.length > 0
          ? await table.getMany({ stock: unread.map((sku) => at(Stocks, { sku })) })
          : undefined;
      return {
        product,
        stock: [...stock, ...(more?.stock ?? [])].filter((row) => row !== undefined),
      };
    },
    findSofa: (slug) => table.get(PublishedSofas, { slug }),
    async cards(ids) {
      if (ids.length === 0) return new Map();
      const { cards } = await table.getMany({ cards: ids.map((id) => at(Cards, { id })) });
      return new Map(cards.filter((card) => card !== undefined).map((card) => [card.id, card]));
    },
  };
}
