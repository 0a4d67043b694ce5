import type { Shop } from "#shared/application/shop.ts";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { nothingHere } from "#shared/http/no-route.ts";
import { type FileAnswer, anyone, route } from "#shared/http/route.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";

/** A larger text does not fit into a response of Lambda, which has at most 6 MB in Base64. */
const maxAnswerBytes = 4_000_000;

/**
 * Returns the current file of this path, or a redirect to the file if it is large.
 *
 * @throws AppError `not_found` when there is no such file
 * @throws Unavailable before the first run of `on-schedule-feeds`: a crawler that reads 404 may not return for days
 */
async function feedFile(
  path: string,
  { table, publicFile, mediaBaseUrl }: Shop<"table" | "mediaBaseUrl" | "publicFile">,
): Promise<FileAnswer> {
  const written = await table.get(FeedFileLists, {});
  if (!written) {
    throw new Unavailable("Sitemaps and feeds were never written", { retryAfterSeconds: 300 });
  }
  const file = written.files.find((each) => each.path === path);
  if (!file) throw nothingHere();
  if (file.bytes > maxAnswerBytes) {
    const address = `${mediaBaseUrl}/${file.key}`;
    return {
      status: 302,
      // The ETag is a hash of this body, so the redirect to a newer file has another ETag.
      file: Buffer.from(address),
      headers: { "Content-Type": "text/plain; charset=utf-8", Location: address },
    };
  }
  return {
    file: gunzipSync(await publicFile(file.key)),
    headers: { "Content-Type": "application/xml; charset=utf-8" },
  };
}

export const getSitemapIndex = route({
  method: "GET",
  path: "/sitemap.xml",
  outsideApi: true,
  summary: "Get the index of the sitemaps",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, file: true },
  handle: (_call, shop: Shop<"table" | "mediaBaseUrl" | "publicFile">) =>
    feedFile("sitemap.xml", shop),
});

export const getSitemap = route({
  method: "GET",
  path: "/sitemaps/{file}",
  outsideApi: true,
  summary: "Get a sitemap",
  access: anyone,
  cache: "public",
  request: { params: z.object({ file: z.string().regex(/^[1-9]\d{0,3}\.xml$/) }) },
  response: { status: 200, file: true },
  handle: ({ params }, shop: Shop<"table" | "mediaBaseUrl" | "publicFile">) =>
    feedFile(`sitemaps/${params.file}`, shop),
});

export const getProductFeed = route({
  method: "GET",
  path: "/feeds/google-products.xml",
  outsideApi: true,
  summary: "Get the product feed for Google Merchant Center",
  access: anyone,
  cache: "public",
  request: {},
  response: { status: 200, file: true },
  handle: (_call, shop: Shop<"table" | "mediaBaseUrl" | "publicFile">) =>
    feedFile("feeds/google-products.xml", shop),
});

export const routes = [getSitemapIndex, getSitemap, getProductFeed];
