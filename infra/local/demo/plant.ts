import type { Category } from "#shared/domain/catalog/category.ts";
import type { Sellable } from "#shared/domain/catalog/product.ts";
import { publishMaterial } from "#shared/domain/catalog/material.ts";
import { StoryContent, publishStory } from "#shared/domain/content/interior-story.ts";
import { PageContent, publishPage } from "#shared/domain/content/page.ts";
import { type Publication, publishProduct } from "#shared/domain/catalog/publish.ts";
import { publishSofa } from "#shared/domain/sofa/sofa-model.ts";
import { flattenRedirects } from "#shared/domain/content/redirect.ts";
import { mediaScheme } from "#shared/domain/upload/media.ts";
import { settingsGroupNames } from "#shared/domain/settings/settings.ts";
import { followedPrices } from "#shared/domain/marketing/price-drop.ts";
import { claimSlug, putCategories } from "#shared/storage/catalog/catalog-edits.ts";
import {
  CategoryTree,
  CategoryUses,
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Materials,
  Products,
  Sofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import {
  PublishedAnnouncement,
  PublishedHome,
  PublishedMenus,
  PublishedPages,
  PublishedSofaLanding,
  Pages,
  Stories,
  putPublishedStory,
} from "#shared/storage/content/content.ts";
import {
  HomeDrafts,
  HomeVersions,
  PageVersions,
  StoryVersions,
} from "#shared/storage/content/content-edits.ts";
import { referredCategories } from "#shared/storage/catalog/catalog-edits.ts";
import { putPrices } from "#shared/storage/marketing/product-alerts.ts";
import { saveCoupon } from "#shared/storage/pricing/coupon-edits.ts";
import { addMediaItem } from "#shared/storage/upload/media.ts";
import { changeFaqs } from "#shared/storage/content/faqs.ts";
import { changeRedirects } from "#shared/storage/content/redirects.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { claimSku } from "#shared/storage/catalog/sku-claims.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put, writeOf } from "#shared/storage/writes.ts";
import { inLanes } from "#infra/local/planting/in-lanes.ts";
import { demoId } from "./identity.ts";
import { type DemoMedia, type DemoShop, demoShop } from "./demo-shop.ts";
import { demoEnquiries } from "./enquiries.ts";
import { readCopies, readMedia } from "./exported.ts";
import { demoInbox } from "./inbox.ts";
import { demoLocations } from "./data/locations.ts";
import { plantOrders } from "./orders.ts";
import { demoStaff } from "./data/staff.ts";
import { demoVisits } from "./visits.ts";

export interface Ground {
  table: Table;
  putMedia(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  now: Date;
}

/**
 * Fills an empty table and bucket with the demo shop. Each record is stored with its published copy, as publishing
 * does.
 *
 * @throws Error when the table already contains a shop
 */
export async function plantDemoData({ table, putMedia, now }: Ground): Promise<void> {
  if (await table.get(CategoryTree, {})) throw new Error("The table holds a shop already.");
  const shop = await demoShop(now);
  const stored = inLanes(shop.media, 16, (item) => putFiles(item, putMedia));
  // Categories are stored first: the consumers of products and sofas need the names of their categories.
  await store(table, apart(ground(shop)));
  await store(table, apart(shop.media.map(addMediaItem)));
  await store(table, publications(shop, now));
  await store(table, apart(demoStaff(now)));
  await store(table, apart([...demoInbox(now), ...demoEnquiries(shop, now)]));
  await store(table, demoLocations(now));
  await store(table, apart(demoVisits(shop, now)));
  await plantOrders(table, shop, now);
  await stored;
}

/** Stores the file of a media item and its scaled copies. */
async function putFiles(item: DemoMedia, putMedia: Ground["putMedia"]): Promise<void> {
  const put = (url: string, bytes: Uint8Array, contentType: string) =>
    putMedia(url.slice(mediaScheme.length), bytes, contentType);
  await put(item.url, await readMedia(item), item.content_type);
  const copies = await Promise.all(readCopies(item));
  for (const [at, { url, content_type }] of item.variants.entries()) {
    await put(url, copies[at]!, content_type);
  }
}

/** Writes of what other records refer to: categories, the counts of their uses, and settings. */
function ground({ categories, products, sofas, settings }: DemoShop): Write[] {
  return [
    ...putCategories(categories, 0),
    ...usesOf(categories, [...products, ...sofas]),
    ...settingsGroupNames.map((group) => putSettings(group, settings[group], 1)),
  ];
}

/** Writes that store the number of references to each category. */
function usesOf(categories: readonly Category[], records: readonly Sellable[]): Write[] {
  const ids = records.flatMap((record) => [...referredCategories(categories, record)]);
  const uses = Map.groupBy(ids, (id) => id);
  return Array.from(uses, ([id, { length }]) => put(CategoryUses, { id, uses: length }));
}

/** Groups of writes, one per record: the record, its published copy and its stock, for one transaction. */
function publications(shop: DemoShop, now: Date): Write[][] {
  const { categories } = shop;
  const stock = Map.groupBy(shop.stock, ({ owner }) => owner.id);
  const stockOf = (id: string) => (stock.get(id) ?? []).map((row) => put(Stocks, row));
  return [
    ...shop.materials.map((material) => [
      put(Materials, material),
      put(PublishedMaterials, publishMaterial(material)),
      ...stockOf(material.id),
      ...(material.swatch.sku === null
        ? []
        : [
            claimSku(material.swatch.sku, material.code, {
              kind: "swatch",
              id: material.id,
              slug: material.code,
            }),
          ]),
    ]),
    ...shop.products.map((product) => [
      put(Products, product),
      put(PublishedProducts, published(product.name, publishProduct(product, categories, now))),
      // As `on-change/marketing` would store them.
      putPrices(followedPrices(undefined, product), undefined),
      ...stockOf(product.id),
      ...product.variants.map(({ id: variant, sku }) =>
        claimSku(sku, variant, { kind: "product", id: product.id, slug: product.slug }),
      ),
    ]),
    ...shop.sofas.map((sofa) => [
      put(Sofas, sofa),
      put(PublishedSofas, published(sofa.name, publishSofa(sofa, categories, now))),
    ]),
    ...shop.pages.map((page) => [
      put(Pages, page),
      claimSlug("page", page.slug, page.id),
      ...(page.status === "published" ? [put(PublishedPages, publishPage(page, now))] : []),
      ...(page.status === "published"
        ? [
            put(PageVersions, {
              ...versionOf(page, now),
              id: page.id,
              content: PageContent.parse(page),
            }),
          ]
        : []),
    ]),
    ...shop.stories.map((story) => [
      put(Stories, story),
      claimSlug("story", story.slug, story.id),
      ...putPublishedStory(publishStory(story, now)),
      put(StoryVersions, {
        ...versionOf(story, now),
        id: story.id,
        content: StoryContent.parse(story),
      }),
    ]),
    ...shop.coupons.map((coupon) => saveCoupon(undefined, coupon).map(writeOf)),
    [
      put(HomeDrafts, { ...shop.home, published_version: shop.home.version }),
      put(PublishedHome, shop.home),
      put(HomeVersions, {
        ...versionOf(shop.home, now),
        content: { sections: shop.home.sections },
      }),
      put(PublishedMenus, shop.menus),
      put(PublishedAnnouncement, shop.announcement),
      put(PublishedSofaLanding, shop.sofaLanding),
    ],
    changeFaqs({ groups: [], version: 0 }, shop.faqs.groups, now).writes,
    changeRedirects({ redirects: [], version: 0 }, checked(shop), now).writes,
  ];
}

/** The members that publishing adds to a document's version. */
const versionOf = (of: { version: number; published_at: string | null }, now: Date) => ({
  version: of.version,
  published_at: of.published_at ?? now.toISOString(),
  published_by: demoId("stf", "content_editor"),
});

function published<Of>(name: string, published: Publication<Of>): Of {
  if (!published.ok)
    throw new Error(`${name} cannot be published: ${JSON.stringify(published.problems)}`);
  return published.published;
}

function checked({ redirects }: DemoShop) {
  const result = flattenRedirects(redirects, []);
  if (!result.ok) throw new Error(`The redirects are wrong: ${JSON.stringify(result.problems)}`);
  return redirects;
}

/** Makes each write a separate group, because the writes do not depend on each other. */
const apart = (writes: readonly Write[]): Write[][] => writes.map((write) => [write]);

/** Writes per transaction: DynamoDB's limit, less the write that `table.transact` adds to each transaction. */
const batchSize = 99;
const concurrently = 2;

/** Stores groups of writes in small transactions and never splits a group. */
const store = (table: Table, groups: readonly Write[][]): Promise<void> =>
  inLanes(batches(groups), concurrently, (writes) => table.transact(writes));

function batches(groups: readonly Write[][]): Write[][] {
  const result: Write[][] = [];
  for (const writes of groups) {
    const last = result.at(-1);
    if (last && last.length + writes.length <= batchSize) last.push(...writes);
    else result.push([...writes]);
  }
  return result;
}
