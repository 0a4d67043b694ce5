import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { consumers } from "#functions/consumers.ts";
import { onScheduleFeeds } from "#functions/on-schedule/schedules.ts";
import type { FeedFiles } from "#shared/domain/seo/feed-files.ts";
import { defaultSettings } from "#shared/domain/settings/default-settings.ts";
import {
  PublishedMaterials,
  PublishedProducts,
  PublishedSofas,
  Stocks,
} from "#shared/storage/catalog/catalog.ts";
import { PageVersions } from "#shared/storage/content/content-edits.ts";
import { Pages, PublishedHome, Stories } from "#shared/storage/content/content.ts";
import { FeedFileLists } from "#shared/storage/seo/feed-files.ts";
import { putSettings } from "#shared/storage/settings/put-settings.ts";
import { put, remove } from "#shared/storage/writes.ts";
import { feedItemsOf, membersOfXml, parsedXml, textsOf } from "#test/support/http/xml.ts";
import { aPublishedProduct, aPublishedSofa, someMaterials } from "#test/support/shop/builders.ts";
import { aStockRow, aStore, anId, noon } from "#test/support/shop/commerce.ts";
import { aShop, silentLog } from "#test/support/shop/parts.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

/** A shop with a product, a sofa, a published page, a draft of a page, and a story. */
async function aPublishedShop(): Promise<TestTable> {
  const fixture = await startTestTable();
  const { table } = fixture;
  const state = {
    version: 3,
    status: "published" as const,
    published_at: minutesLater(-90),
    created_at: minutesLater(-90),
    updated_at: at,
  };
  const draft = { version: 1, status: "draft" as const, published: null, published_at: null };
  const content = {
    slug: "about",
    title: "A page",
    excerpt: null,
    blocks: [],
    seo: { title: null, description: null },
  };
  // Staff have since changed the slug of the draft.
  const page = { ...content, ...state, id: anId("page"), slug: "new" };
  const cover = { url: "media://rooms/sea.webp", alt: "The room", width: 1_600, height: 900 };
  const story = {
    ...state,
    title: "A room",
    room: null,
    style: null,
    cover,
    body_html: "",
    images: [],
    id: anId("story"),
    slug: "by-the-sea",
  };
  const version = { version: 2, published_at: minutesLater(-60), published_by: anId("stf") };
  await table.transact([
    put(PublishedProducts, product),
    put(Stocks, aStockRow({ id: product.variants[0]!.id })),
    put(PublishedSofas, sofa),
    ...[...someMaterials.values()].map((material) => put(PublishedMaterials, material)),
    put(Pages, { ...page, published: { slug: "about", version: 2 } }),
    put(PageVersions, { ...version, id: page.id, content }),
    put(Pages, { ...page, ...draft, id: anId("page", 2), slug: "draft" }),
    put(Stories, { ...story, published: { slug: "by-the-sea", version: 2 } }),
    put(PublishedHome, { sections: [], version: 1, published_at: minutesLater(-10) }),
    put(Stories, { ...story, ...draft, id: anId("story", 2), slug: "draft" }),
    putSettings("store", aStore(), 1),
  ]);
  return fixture;
}

const at = noon.toISOString();
const minutesLater = (minutes: number) => new Date(noon.getTime() + minutes * 60_000).toISOString();
const product = aPublishedProduct();
const sofa = aPublishedSofa({ updated_at: minutesLater(-30) });

let fixture: TestTable;
beforeAll(async () => {
  fixture = await aPublishedShop();
});
afterAll(() => fixture.stop());

/** The bucket of public files. */
const objects = new Map<string, { text: string; contentEncoding: string | undefined }>();

/** One run of the schedule, some minutes after noon. */
const run = (minutes: number, overrides: Partial<Parameters<typeof onScheduleFeeds>[1]> = {}) =>
  onScheduleFeeds(undefined, {
    ...aShop<Parameters<typeof onScheduleFeeds>[1]>({
      table: fixture.table,
      publicFiles: {
        async put(key, bytes, _type, { contentEncoding } = {}) {
          objects.set(key, { text: gunzipSync(bytes).toString(), contentEncoding });
        },
      },
      mediaBaseUrl: "https://media.example.com",
      apiBaseUrl: "https://api.example.com",
      log: silentLog,
      now: () => new Date(noon.getTime() + minutes * 60_000),
    }),
    ...overrides,
  });
const written = async () => (await fixture.table.get(FeedFileLists, {})) as FeedFiles;
const textOf = async (path: string) => {
  const { files } = await written();
  return objects.get(files.find((file) => file.path === path)?.key ?? "")?.text ?? "";
};

describe("the sitemaps and the product feed", () => {
  test("contain each published page and each SKU once", async () => {
    await run(0);
    const index = parsedXml(await textOf("sitemap.xml"));
    expect(textsOf(index, "loc")).toEqual(["https://api.example.com/sitemaps/1.xml"]);
    const pages = textsOf(parsedXml(await textOf("sitemaps/1.xml")), "loc");
    expect(pages.toSorted()).toEqual(
      [
        "/",
        "/categories/chairs",
        "/categories/seating",
        "/categories/sofas",
        "/interiors/by-the-sea",
        "/pages/about",
        "/products/oslo-lounge-chair",
        "/sofas/kochi-sofa",
      ].map((path) => `https://shop.example.com${path}`),
    );
    const items = feedItemsOf(await textOf("feeds/google-products.xml"));
    expect([...items.keys()]).toEqual(["CHR-OSLO-OAT", "CHR-OSLO-SLATE", anId("sofa")]);
    expect((await written()).without_picture).toBe(0);
    expect(items.get("CHR-OSLO-OAT")).toMatchObject({ "g:availability": "in_stock" });
    expect(items.get("CHR-OSLO-SLATE")).toMatchObject({ "g:availability": "out_of_stock" });
  });

  test("say when each page was last published, and when each product and sofa last changed", async () => {
    const { children } = parsedXml(await textOf("sitemaps/1.xml"));
    const changes = children
      .map(membersOfXml)
      .map(({ loc = "", lastmod }) => [new URL(loc).pathname, lastmod]);
    expect(Object.fromEntries(changes)).toEqual({
      "/": minutesLater(-10),
      "/categories/chairs": product.updated_at,
      "/categories/seating": product.updated_at,
      "/categories/sofas": sofa.updated_at,
      // No version of the story is stored, so its first publication counts.
      "/interiors/by-the-sea": minutesLater(-90),
      "/pages/about": minutesLater(-60),
      "/products/oslo-lounge-chair": product.updated_at,
      "/sofas/kochi-sofa": sofa.updated_at,
    });
  });

  test("are stored compressed, with the size of their text", async () => {
    const { files } = await written();
    expect(files).toHaveLength(3);
    for (const { key, bytes } of files) {
      const object = objects.get(key);
      expect(object?.contentEncoding).toBe("gzip");
      expect(bytes).toBe(Buffer.byteLength(object?.text ?? ""));
    }
  });

  test("are written again at the second run, and after that only if something has changed", async () => {
    await run(5);
    expect((await written()).written_at).toBe(minutesLater(5));
    await run(10);
    expect((await written()).written_at).toBe(minutesLater(5));
    await fixture.table.transact([put(PublishedProducts, { ...product, name: "Oslo Chair" })]);
    await run(15);
    expect((await written()).written_at).toBe(minutesLater(15));
    expect(await textOf("feeds/google-products.xml")).toContain("Oslo Chair, Oat");
  });

  test("no longer contain a product once it is unpublished", async () => {
    await fixture.table.transact([remove(PublishedProducts, product)]);
    await run(20);
    expect(await textOf("sitemaps/1.xml")).not.toContain("oslo");
    expect(await textOf("feeds/google-products.xml")).not.toContain("CHR-OSLO");
  });

  test("use the storefront's own paths, and the storefront's address for sitemaps if the API's address is not known", async () => {
    const paths = { ...defaultSettings.seo.paths, sofa: "/couches/{slug}/" };
    const seo = { ...defaultSettings.seo, paths };
    await fixture.table.transact([putSettings("seo", seo, 1)]);
    await run(25, { apiBaseUrl: undefined });
    expect(await textOf("sitemaps/1.xml")).toContain(
      "https://shop.example.com/couches/kochi-sofa/",
    );
    expect(await textOf("sitemap.xml")).toContain("https://shop.example.com/sitemaps/1.xml");
  });

  test("remain unchanged if a run fails, and are written by the next run", async () => {
    const before = await written();
    await fixture.table.transact([put(PublishedProducts, product)]);
    const refused = async () => {
      throw new Error("Object storage does not answer");
    };
    await expect(
      run(30, { publicFiles: { put: refused, get: refused, remove: refused } }),
    ).rejects.toThrow("does not answer");
    expect(await written()).toEqual(before);
    await run(35);
    expect(await textOf("feeds/google-products.xml")).toContain("CHR-OSLO-OAT");
  });

  test("are written again when media has another address", async () => {
    await run(40);
    await run(45);
    expect((await written()).written_at).toBe(minutesLater(40));
    await run(50, { mediaBaseUrl: "https://cdn.example.com" });
    expect((await written()).written_at).toBe(minutesLater(50));
  });
});

test("the schedule of sitemaps and feed leaves room to write them twice within fifteen minutes of a publish", () => {
  const { source, timeoutSeconds } = consumers.find(({ name }) => name === "on-schedule-feeds")!;
  const minutes = source.kind === "schedule" ? source.everyMinutes : Infinity;
  expect(2 * minutes + timeoutSeconds / 60).toBeLessThanOrEqual(15);
});
