import { describe, expect, test } from "vitest";
import type { PageEntry } from "#shared/domain/listing/page-entry.ts";
import type { SearchSettings } from "#shared/domain/settings/search-settings.ts";
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

function catalogWith(search: Partial<SearchSettings>): Catalog {
  const entries = [
    anEntry("box", { card: { name: "Gift box" } }),
    anEntry("vase", { card: { name: "Vase" } }),
  ];
  return {
    version: 1,
    index: catalogIndex(segmentOf(entries), emptySegment),
    documents: {
      pages: [aPage("Gift ideas")],
      search: { synonyms: [], boosts: [], hidden: [], ...search },
    },
  };
}

function found(q: string, catalog: Catalog) {
  const { rows, ...rest } = searchCatalog(catalog, {
    q,
    types: ["product", "page"],
    offset: 0,
    limit: 10,
    facets: true,
  });
  const names = rows.map((row) => {
    const { card, page } = JSON.parse(row) as { card?: { id: string }; page?: { slug: string } };
    return card?.id ?? page?.slug;
  });
  return { names, ...rest };
}

describe("a search over cards and pages", () => {
  test("lists only pages if a page matches all words and cards match only some", () => {
    const { names, total, match } = found("gift ideas", catalogWith({}));
    expect([names, total, match]).toEqual([["gift-ideas"], 1, "all"]);
  });

  test("lists boosted cards before the pages that match all words, with facets", () => {
    const catalog = catalogWith({ boosts: [{ query: "gift ideas", targets: ["vase"] }] });
    const { names, total, match, facets } = found("gift ideas", catalog);
    expect([names, total, match]).toEqual([["vase", "gift-ideas"], 2, "all"]);
    expect(facets).toBeDefined();
  });
});
