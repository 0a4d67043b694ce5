import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resources } from "#infra/generated/entries/content.ts";
import type { DepsOf } from "#shared/http/resource.ts";
import { serve } from "#shared/http/serve.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import { put } from "#shared/storage/writes.ts";
import { aContext, anEvent } from "#test/support/http/in-process.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const feed = "<rss>&amp;</rss>";
let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

/** The response to a request with this ETag in `If-None-Match`. */
async function answer(
  path: string,
  tag?: string,
  params: Record<string, string> = {},
  content: string = feed,
) {
  // The routes of the feeds need no other dependencies.
  const deps = {
    table: fixture.table,
    publicFile: async () => gzipSync(content),
    mediaBaseUrl: "https://media.example.com",
  } as unknown as DepsOf<typeof resources>;
  const handler = serve(resources, () => deps);
  const headers = tag === undefined ? {} : { "if-none-match": tag };
  return handler(anEvent(`GET ${path}`, { params, headers }), aContext());
}

const write = (bytes: number, key: string) =>
  fixture.table.write(
    put(FeedFileLists, {
      files: [{ path: "feeds/google-products.xml", key, bytes }],
      state: "1 1",
      is_settled: true,
      written_at: noon.toISOString(),
    }),
  );

test("before the first run of the schedule, sitemaps and feed ask callers to return in five minutes", async () => {
  for (const path of ["/sitemap.xml", "/feeds/google-products.xml"]) {
    expect(await answer(path)).toMatchObject({
      statusCode: 503,
      headers: { "Retry-After": "300" },
    });
  }
});

test("a sitemap that does not exist returns 404", async () => {
  await write(4_000_000, "feeds/1/feeds/google-products.xml");
  const { statusCode } = await answer("/sitemaps/{file}", undefined, { file: "9.xml" });
  expect(statusCode).toBe(404);
});

test("a feed is returned as XML", async () => {
  await write(4_000_000, "feeds/1/feeds/google-products.xml");
  const { statusCode, headers, body } = await answer("/feeds/google-products.xml");
  expect([statusCode, headers["Content-Type"]]).toEqual([200, "application/xml; charset=utf-8"]);
  expect(Buffer.from(body ?? "", "base64").toString()).toBe(feed);
});

test("the largest feed that is returned fits into Lambda's result as it is encoded", async () => {
  const largest = "<g:id>".repeat(4_000_000 / 6).padEnd(4_000_000, ">");
  await write(4_000_000, "feeds/1/feeds/google-products.xml");
  const result = await answer("/feeds/google-products.xml", undefined, {}, largest);
  expect(Buffer.from(result.body ?? "", "base64")).toHaveLength(4_000_000);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(6 * 1024 * 1024);
});

test("a feed that is too large for a response redirects to the file, and the redirect to a newer file has another ETag", async () => {
  await write(4_000_001, "feeds/2/feeds/google-products.xml");
  const redirect = await answer("/feeds/google-products.xml");
  expect(redirect).toMatchObject({
    statusCode: 302,
    headers: {
      Location: "https://media.example.com/feeds/2/feeds/google-products.xml",
      "Cache-Control": "public, max-age=5, stale-while-revalidate=30",
    },
  });
  const tag = redirect.headers["ETag"] ?? "";
  expect(await answer("/feeds/google-products.xml", tag)).toMatchObject({ statusCode: 304 });
  await write(4_000_001, "feeds/3/feeds/google-products.xml");
  expect(await answer("/feeds/google-products.xml", tag)).toMatchObject({
    statusCode: 302,
    headers: { Location: "https://media.example.com/feeds/3/feeds/google-products.xml" },
  });
});

test.each(["2.xml", "0.xml", "1.txt", "..%2Fsitemap.xml"])(
  "the sitemap %s, which does not exist, returns 404",
  async (file) => {
    const { statusCode } = await answer("/sitemaps/{file}", undefined, { file });
    expect(statusCode).toBe(404);
  },
);
