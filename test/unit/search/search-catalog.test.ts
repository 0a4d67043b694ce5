import { describe, expect, test } from "vitest";
import type { PageEntry } from "#shared/domain/listing/page-entry.ts";
import type { SearchSettings } from "#shared/domain/settings/further-settings.ts";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import type { Catalog } from "#shared/search/load-catalog.ts";
import { searchCatalog } from "#shared/search/search-catalog.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { anEntry } from "../catalog-index/entries.ts";

const aPage = (title: string): PageEntry => ({
  type: "page",
  id: `page_${title}`,
  teaser: { slug: title.toLowerCase().replaceAll(" ", "-"), title, excerpt: null, cover: null },
  text: "",
});

function catalogWith(search: Partial<SearchSettings>, titles = ["Gift ideas"]): Catalog {
  const entries = [
    anEntry("box", { card: { name: "Gift box" } }),
    anEntry("vase", { card: { name: "Vase" } }),
  ];
  return {
    version: 1,
    index: catalogIndex(segmentOf(entries), emptySegment),
    documents: {
      pages: titles.map(aPage),
      search: { synonyms: [], boosts: [], hidden: [], ...search },
    },
  };
}

function found(q: string, catalog: Catalog, slice = { offset: 0, limit: 10 }) {
  const { rows, ...rest } = searchCatalog(catalog, {
    q,
    types: ["product", "page"],
    ...slice,
    facets: true,
  });
  const names = rows.map((row) => {
    const { card, page } = JSON.parse(row) as { card?: { id: string }; page?: { slug: string } };
    return card?.id ?? page?.slug;
  });
  return { names, ...rest };
}

describe("a search over cards and pages", () => {
  test("lists cards that match some words after a page that matches all, so that no page hides goods", () => {
    const catalog = catalogWith({});
    const { names, total, match, facets } = found("gift ideas", catalog);
    expect([names, total, match]).toEqual([["gift-ideas", "box"], 2, "all"]);
    expect(facets).toBeDefined();
    for (const [offset, name] of ["gift-ideas", "box"].entries()) {
      expect(found("gift ideas", catalog, { offset, limit: 1 })).toMatchObject({
        names: [name],
        total: 2,
      });
    }
  });

  test("lists at most three pages before cards that match some words, however many pages match all", () => {
    const titles = ["One", "Two", "Three", "Four", "Five"].map((name) => `Gift ideas ${name}`);
    const catalog = catalogWith({}, titles);
    const { names, total } = found("gift ideas", catalog);
    expect(names.indexOf("box")).toBe(3);
    expect([names.length, total]).toEqual([6, 6]);
    const single = [0, 1, 2, 3, 4, 5].flatMap(
      (offset) => found("gift ideas", catalog, { offset, limit: 1 }).names,
    );
    expect(single).toEqual(names);
    const pairs = [0, 2, 4].flatMap(
      (offset) => found("gift ideas", catalog, { offset, limit: 2 }).names,
    );
    expect(pairs).toEqual(names);
  });

  test("lists only pages if no card matches", () => {
    const { names, total } = found("ideas", catalogWith({}));
    expect([names, total]).toEqual([["gift-ideas"], 1]);
  });

  test("lists boosted cards before the pages that match all words, with facets", () => {
    const catalog = catalogWith({ boosts: [{ query: "gift ideas", targets: ["vase"] }] });
    const { names, total, match, facets } = found("gift ideas", catalog);
    expect([names, total, match]).toEqual([["vase", "gift-ideas"], 2, "all"]);
    expect(facets).toBeDefined();
  });
});
