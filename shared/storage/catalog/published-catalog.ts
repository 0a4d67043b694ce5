import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import type { Card } from "../../domain/catalog/card.ts";
import type { Category } from "../../domain/catalog/category.ts";
import { SofaLanding } from "../../domain/content/content.ts";
import type { PublishedStory } from "../../domain/content/interior-story.ts";
import type { PublishedPage } from "../../domain/content/page.ts";
import type { PublishedMaterial } from "../../domain/catalog/material.ts";
import type { PublishedProduct } from "../../domain/catalog/product.ts";
import type { PublishedSofa } from "../../domain/sofa/sofa.ts";
import type { Stock } from "../../domain/catalog/stock.ts";
import type { SearchSettings } from "../../domain/settings/further-settings.ts";
import {
  Cards,
  CategoryTree,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  type NamedKind,
  Stocks,
  publishedPartition,
} from "./catalog.ts";
import {
  Pages,
  PublishedPages,
  PublishedSofaLanding,
  PublishedStories,
  pageList,
  publishedStoryList,
} from "../content/content.ts";
import { SettingsRows, savedOrDefault } from "../settings/settings.ts";
import type { Entity } from "../entity.ts";
import { byName } from "./published-facts.ts";
import { type Read, at } from "../reads.ts";
import type { StorageKey } from "../pages.ts";
import type { Table } from "../table.ts";
import { every, is } from "../conditions.ts";
import { type Write, put, remove, unlessRefused, update } from "../writes.ts";

/** The published records, for the catalog index writer. Unpublished records are left out. */
export interface IndexedCatalog {
  products(slugs: readonly string[]): Promise<{ product: PublishedProduct; stock: Stock[] }[]>;
  sofas(slugs: readonly string[]): Promise<PublishedSofa[]>;
  materials(codes: readonly string[]): Promise<PublishedMaterial[]>;
  categories(): Promise<Category[]>;
  sofaLanding(): Promise<SofaLanding | null>;
  searchSettings(): Promise<SearchSettings>;
  pages(slugs: readonly string[]): Promise<PublishedPage[]>;
  stories(slugs: readonly string[]): Promise<PublishedStory[]>;
  allPages(): Promise<PublishedPage[]>;
  allStories(): Promise<PublishedStory[]>;
  /**
   * One page of the slugs, or material codes, of published records, in order. The index may lack writes of the last
   * second.
   */
  namesOf(
    kind: NamedKind,
    page?: { after?: StorageKey | undefined; limit?: number },
  ): Promise<Names>;
  /** Writes the new category names into published copies, unless a copy was published again since it was read. */
  place(copies: readonly (PublishedProduct | PublishedSofa)[]): Promise<void>;
  /** Stores the cards that have changed. */
  putCards(cards: readonly Card[]): Promise<void>;
  removeCards(ids: readonly string[]): Promise<void>;
}

interface Names {
  names: string[];
  next: StorageKey | undefined;
}

export function openIndexedCatalog(table: Table): IndexedCatalog {
  async function present<Record>(reads: readonly Read<Record>[]): Promise<Record[]> {
    if (reads.length === 0) return [];
    const { found } = await table.getMany({ found: reads });
    return found.filter((record) => record !== undefined);
  }

  async function namesIn<Schema extends z.ZodObject, Id>(
    of: Entity<Schema, Id>,
    nameOf: (published: z.output<Schema>) => string,
    partition: string,
    page: Parameters<IndexedCatalog["namesOf"]>[1],
  ): Promise<Names> {
    const { records, next } = await table.page(of, { index: "gsi1", partition }, page);
    return { names: records.map(nameOf), next };
  }

  async function everyRecord<Schema extends z.ZodObject, Id>(
    of: Entity<Schema, Id>,
    partition: string,
  ): Promise<z.output<Schema>[]> {
    return (await table.page(of, { index: "gsi1", partition })).records;
  }

  return {
    async products(slugs) {
      const products = await present(slugs.map((slug) => at(PublishedProducts, { slug })));
      const variants = products.flatMap((product) => product.variants);
      const rows = await present(variants.map(({ id }) => at(Stocks, { id })));
      const stock = byName(rows, ({ id }) => id);
      return products.map((product) => ({
        product,
        stock: product.variants.flatMap(({ id }) => stock.get(id) ?? []),
      }));
    },
    sofas: (slugs) => present(slugs.map((slug) => at(PublishedSofas, { slug }))),
    materials: (codes) => present(codes.map((code) => at(PublishedMaterials, { code }))),
    categories: async () => (await table.get(CategoryTree, {}))?.categories ?? [],
    async sofaLanding() {
      const stored = await table.get(PublishedSofaLanding, {});
      return stored ? SofaLanding.parse(stored) : null;
    },
    searchSettings: async () =>
      savedOrDefault("search", await table.get(SettingsRows, { group: "search" })),
    pages: (slugs) => present(slugs.map((slug) => at(PublishedPages, { slug }))),
    stories: (slugs) => present(slugs.map((slug) => at(PublishedStories, { slug }))),
    async allPages() {
      const drafts = await everyRecord(Pages, pageList);
      const slugs = drafts.flatMap(({ published }) => published?.slug ?? []);
      return present(slugs.map((slug) => at(PublishedPages, { slug })));
    },
    allStories: () => everyRecord(PublishedStories, publishedStoryList),
    async namesOf(kind, page) {
      const partition = publishedPartition(kind);
      switch (kind) {
        case "product":
          return namesIn(PublishedProducts, ({ slug }) => slug, partition, page);
        case "sofa":
          return namesIn(PublishedSofas, ({ slug }) => slug, partition, page);
        case "material":
          return namesIn(PublishedMaterials, ({ code }) => code, partition, page);
      }
    },
    place: (copies) => inBatches(copies, (copy) => unlessRefused(table.write(placing(copy)))),
    async putCards(cards) {
      for (const some of portions(cards, cardsAtOnce)) {
        const stored = await present(some.map(({ id }) => at(Cards, { id })));
        const before = new Map(stored.map((card) => [card.id, card]));
        const changed = some.filter((card) => !isDeepStrictEqual(card, before.get(card.id)));
        // A product that gets another slug meanwhile may be read under both.
        const distinct = new Map(changed.map((card) => [card.id, card]));
        await table.writeMany(Array.from(distinct.values(), (card) => put(Cards, card)));
      }
    },
    async removeCards(ids) {
      for (const some of portions(ids, cardsAtOnce)) {
        await table.writeMany(some.map((id) => remove(Cards, { id })));
      }
    },
  };
}

/** If a whole catalog were read or written at once, the last requests would time out. */
const cardsAtOnce = 500;
/** Maximum number of concurrent requests. */
const writesAtOnce = 25;

async function inBatches<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const some of portions(items, writesAtOnce)) await Promise.all(some.map(write));
}

function* portions<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * These writes do not raise the public generation, the counter that tells functions that public answers in their memory
 * are outdated. The pointer of the catalog index changes after these writes, and functions also check the pointer.
 */
const unannounced = { isPublic: false };

function placing(copy: PublishedProduct | PublishedSofa): Write {
  const { slug, category, category_path, collection, rooms, styles } = copy;
  const set = { category, category_path, collection, rooms, styles };
  const same = every(is("id", copy.id), is("version", copy.version));
  return copy.kind === "product"
    ? update({ ...PublishedProducts, ...unannounced }, { slug }, { set }, same)
    : update({ ...PublishedSofas, ...unannounced }, { slug }, { set }, same);
}
