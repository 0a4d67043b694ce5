import { expect, test } from "vitest";
import { inSitemaps, sitemap, sitemapIndex } from "#shared/domain/seo/feeds.ts";
import { membersOfXml, parsedXml, textsOf } from "#test/support/http/xml.ts";

const pages = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ address: `https://shop.test/${number}` }));

test.each([
  [1, [1]],
  [10_000, [10_000]],
  [10_001, [10_000, 1]],
  [50_120, [10_000, 10_000, 10_000, 10_000, 10_000, 120]],
])("%i URLs are divided into sitemaps of at most 10,000, each URL once", (count, sizes) => {
  const sitemaps = inSitemaps(pages(count));
  expect(sitemaps.map(({ length }) => length)).toEqual(sizes);
  expect(sitemaps.flat()).toEqual(pages(count));
});

test("a sitemap says when a page changed, if that is known", () => {
  const root = parsedXml(
    sitemap([
      { address: "https://shop.test/" },
      { address: "https://shop.test/a?b=1&c=2", changedAt: "2026-11-21T06:30:00.000Z" },
    ]),
  );
  expect(root.name).toBe("urlset");
  expect(root.children.map(membersOfXml)).toEqual([
    { loc: "https://shop.test/" },
    { loc: "https://shop.test/a?b=1&c=2", lastmod: "2026-11-21T06:30:00.000Z" },
  ]);
});

test("the sitemap index names every sitemap", () => {
  const addresses = ["https://shop.test/sitemaps/1.xml", "https://shop.test/sitemaps/2.xml"];
  const root = parsedXml(sitemapIndex(addresses));
  expect(root.name).toBe("sitemapindex");
  expect(textsOf(root, "loc")).toEqual(addresses);
});
