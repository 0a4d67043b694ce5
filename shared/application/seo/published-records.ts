import type * as z from "zod";
import type { StockLevel } from "#shared/domain/catalog/availability.ts";
import type { PublishedMaterial } from "#shared/domain/catalog/material.ts";
import type { PublishedProduct } from "#shared/domain/catalog/product.ts";
import {
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Stocks,
  publishedPartition,
} from "#shared/storage/catalog/catalog.ts";
import {
  Pages,
  PublishedHome,
  Stories,
  pageList,
  storyList,
} from "#shared/storage/content/content.ts";
import { PageVersions, StoryVersions } from "#shared/storage/content/content-edits.ts";
import { type Readable, projection } from "#shared/storage/entity.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/*
 * Reads all published records through an index of the table. One query returns about 250 products. The index lags
 * behind writes, usually by less than a second.
 */

/** More than a request returns, so that each page is 1 MB. */
const limit = 10_000;

/** The pages of an index partition, up to 1 MB each. */
async function* pagesOf<Schema extends z.ZodObject, Id>(
  table: Table,
  of: Readable<Schema, Id>,
  partition: string,
): AsyncGenerator<z.output<Schema>[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await table.page(of, { index: "gsi1", partition }, { limit, after });
    yield records;
    after = next;
  } while (after);
}

/** All records of a small index partition. */
async function allOf<Schema extends z.ZodObject, Id>(
  table: Table,
  of: Readable<Schema, Id>,
  partition: string,
): Promise<z.output<Schema>[]> {
  return (await table.page(of, { index: "gsi1", partition })).records;
}

const Levels = projection(Stocks, ["id", "available", "policy", "low_stock_threshold"]);

/** A product with the stock of its variants. */
interface StockedProduct {
  readonly product: PublishedProduct;
  readonly levels: readonly StockLevel[];
}

export async function* publishedProducts(table: Table): AsyncGenerator<StockedProduct[]> {
  for await (const products of pagesOf(table, PublishedProducts, publishedPartition("product"))) {
    const { rows } = await table.getMany({
      rows: products.flatMap(({ variants }) => variants.map(({ id }) => at(Levels, { id }))),
    });
    const levels = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
    yield products.map((product) => ({
      product,
      levels: product.variants.flatMap(({ id }) => levels.get(id) ?? []),
    }));
  }
}

export const publishedSofas = (table: Table) =>
  pagesOf(table, PublishedSofas, publishedPartition("sofa"));

export async function materialsByCode(table: Table): Promise<Map<string, PublishedMaterial>> {
  const materials = await allOf(table, PublishedMaterials, publishedPartition("material"));
  return new Map(materials.map((material) => [material.code, material]));
}

/** A published page or story. */
interface PublishedDocument {
  readonly slug: string;
  /** Time of the last publication. */
  readonly publishedAt: string | undefined;
}

const PageState = projection(Pages, ["id", "published", "published_at"]);
const StoryState = projection(Stories, ["id", "published", "published_at"]);
const PageVersionTime = projection(PageVersions, ["published_at"]);
const StoryVersionTime = projection(StoryVersions, ["published_at"]);

export const publishedPages = async (table: Table): Promise<PublishedDocument[]> =>
  publishedOf(table, await allOf(table, PageState, pageList), PageVersionTime);

export const publishedStories = async (table: Table): Promise<PublishedDocument[]> =>
  publishedOf(table, await allOf(table, StoryState, storyList), StoryVersionTime);

/**
 * The published ones of some documents. If the published version of a document is not stored, its first publication
 * counts.
 */
async function publishedOf(
  table: Table,
  documents: readonly z.output<(typeof PageState)["schema"]>[],
  versionTime: typeof PageVersionTime,
): Promise<PublishedDocument[]> {
  const published = documents.flatMap(({ id, published: copy, published_at }) =>
    copy ? [{ ...copy, id, published_at }] : [],
  );
  const { versions } = await table.getMany({
    versions: published.map(({ id, version }) => at(versionTime, { id, version })),
  });
  return published.map(({ slug, published_at }, position) => ({
    slug,
    publishedAt: versions[position]?.published_at ?? published_at ?? undefined,
  }));
}

/** The time of the homepage's last publication; undefined before the first one. */
export async function homepagePublishedAt(table: Table): Promise<string | undefined> {
  const home = await table.get(projection(PublishedHome, ["published_at"]), {});
  return home?.published_at ?? undefined;
}
