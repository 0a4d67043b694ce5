import type { Shop } from "#shared/application/shop.ts";
import type { PublishedSellable } from "#shared/domain/catalog/product.ts";
import {
  type FeedFile,
  type FeedFiles,
  feedFolder,
  needsWriting,
} from "#shared/domain/seo/feed-files.ts";
import { type SitemapEntry, inSitemaps, sitemap, sitemapIndex } from "#shared/domain/seo/feeds.ts";
import {
  type StorefrontSettings,
  pageAddress,
  storefrontAddress,
} from "#shared/domain/settings/storefront-address.ts";
import { readPublicState } from "#shared/storage/public-state.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { replace } from "#shared/storage/writes.ts";
import { feedText } from "./feed-text.ts";
import { homepagePublishedAt, publishedPages, publishedStories } from "./published-records.ts";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

type FeedShop = Shop<"table" | "publicFiles" | "mediaBaseUrl" | "apiBaseUrl" | "log" | "now">;

/**
 * Writes the sitemaps and the product feed once a day, and after each change of public data or of the addresses in
 * them. The next run writes them once more, because the index that lists the records lags behind writes. Each time it
 * writes new files. The row that names the files is written last, so callers get either all old files or all new ones.
 * Safe to repeat.
 */
export async function writeFeeds(shop: FeedShop): Promise<void> {
  const { table, log, now } = shop;
  const begun = now();
  const [{ generation, pointer }, written] = await Promise.all([
    readPublicState(table),
    table.get(FeedFileLists, {}),
  ]);
  // The files contain these addresses, so other addresses need other files.
  const state = [generation, pointer?.version ?? 0, shop.mediaBaseUrl, shop.apiBaseUrl].join(" ");
  if (!needsWriting(written, state, begun)) return;
  const made = await writeFiles(`${feedFolder}/${begun.getTime()}`, shop);
  const is_settled = written?.state === state;
  const list = { ...made, state, is_settled, written_at: begun.toISOString() };
  await table.write(replace(FeedFileLists, list));
  log.info("Sitemaps and product feed written", {
    files: made.files.length,
    without_picture: made.without_picture,
  });
}

type WrittenFiles = Pick<FeedFiles, "files" | "without_picture">;

async function writeFiles(folder: string, shop: FeedShop): Promise<WrittenFiles> {
  const settings = await readSettings(shop.table, ["store", "seo", "shipping", "tax"]);
  const files: FeedFile[] = [];

  async function write(path: string, { gzip, bytes }: PackedText): Promise<void> {
    const key = `${folder}/${path}`;
    await shop.publicFiles.put(key, gzip, "application/xml; charset=utf-8", {
      contentEncoding: "gzip",
      cacheControl: "public, max-age=86400, immutable",
    });
    files.push({ path, key, bytes });
  }

  const sellables: SitemapEntry[] = [];
  const categories = new Map<string, string>();
  let without_picture = 0;
  const see = (sellable: PublishedSellable & { kind: "product" | "sofa" }, leftOut: number) => {
    without_picture += leftOut;
    const { updated_at: changedAt } = sellable;
    for (const { slug } of sellable.category_path) {
      const known = categories.get(slug);
      if (known === undefined || known < changedAt) categories.set(slug, changedAt);
    }
    sellables.push({ address: pageAddress(settings, sellable.kind, sellable.slug), changedAt });
  };
  await write("feeds/google-products.xml", await packedText(feedText(settings, see, shop)));

  const entries = [...(await otherPages(settings, categories, shop)), ...sellables];
  const addresses: string[] = [];
  for (const [position, some] of inSitemaps(entries).entries()) {
    const path = `sitemaps/${position + 1}.xml`;
    await write(path, await packedText([sitemap(some)]));
    addresses.push(`${siteOf(settings, shop)}/${path}`);
  }
  await write("sitemap.xml", await packedText([sitemapIndex(addresses)]));
  return { files, without_picture };
}

/**
 * The sitemap entries of the storefront's home page, categories, content pages and stories.
 *
 * @param categories slug → time of the last change of a product in the category
 */
async function otherPages(
  settings: StorefrontSettings,
  categories: ReadonlyMap<string, string>,
  { table }: Shop<"table">,
): Promise<SitemapEntry[]> {
  const [home, pages, stories] = await Promise.all([
    homepagePublishedAt(table),
    publishedPages(table),
    publishedStories(table),
  ]);
  const entry = (
    kind: "category" | "page" | "story",
    slug: string,
    changedAt: string | undefined,
  ) => ({
    address: pageAddress(settings, kind, slug),
    changedAt,
  });
  return [
    { address: storefrontAddress(settings, "/"), changedAt: home },
    ...[...categories].map(([slug, changedAt]) => entry("category", slug, changedAt)),
    ...pages.map(({ slug, publishedAt }) => entry("page", slug, publishedAt)),
    ...stories.map(({ slug, publishedAt }) => entry("story", slug, publishedAt)),
  ];
}

/**
 * The beginning of the sitemaps' URLs in the sitemap index. Without the API's address it is the storefront's, which
 * must forward the paths of sitemaps to the API.
 */
const siteOf = (settings: StorefrontSettings, { apiBaseUrl }: Shop<"apiBaseUrl">): string =>
  apiBaseUrl ?? storefrontAddress(settings, "");

/** A compressed text, and the size of the text in bytes. */
interface PackedText {
  readonly gzip: Uint8Array;
  readonly bytes: number;
}

/** Compresses a text while it is produced, so that a large text is never completely in memory. */
async function packedText(parts: Iterable<string> | AsyncIterable<string>): Promise<PackedText> {
  let bytes = 0;
  const packed: Buffer[] = [];
  await pipeline(
    async function* () {
      for await (const part of parts) {
        const chunk = Buffer.from(part);
        bytes += chunk.byteLength;
        yield chunk;
      }
    },
    createGzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) packed.push(chunk);
    },
  );
  return { gzip: Buffer.concat(packed), bytes };
}
