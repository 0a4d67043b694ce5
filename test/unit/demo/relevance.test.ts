import { describe, expect, test } from "vitest";
import { demoCatalogEntries } from "#infra/local/demo/catalog-entries.ts";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import type { CardKind } from "#shared/domain/catalog/card.ts";
import { judgedQueries, relevanceOf } from "#test/support/shop/relevance.ts";

const entries = await demoCatalogEntries(new Date("2026-11-21T09:00:00.000Z"));
const index = catalogIndex(segmentOf(entries), emptySegment);

function find(q: string, kind?: CardKind): string[] {
  const { cards } = catalogPage(index, { q, kind, page: 1, per_page: 100 });
  return cards.map((text) => {
    const card = JSON.parse(text) as { kind: CardKind; slug: string };
    return `${card.kind}:${card.slug}`;
  });
}

describe("search in the demo shop", () => {
  test("is judged by queries that want only existing cards", () => {
    const known = new Set(entries.map(({ card }) => `${card.kind}:${card.slug}`));
    const unknown = judgedQueries.flatMap(({ wanted }) =>
      wanted.filter((card) => !known.has(card)),
    );
    expect(unknown).toEqual([]);
  });

  test("finds a wanted card among the first three for 98 % of the judged queries, and at least one card for each query", () => {
    const { hitAt3, empty, missed } = relevanceOf(judgedQueries, find);
    expect(empty).toEqual([]);
    expect(hitAt3, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.98);
  });

  test.each([
    ["sofa", "sofa:saanjh-sofa"],
    ["couch", "sofa:saanjh-sofa"],
    ["sofa bed", "sofa:basera-sofa-bed"],
    ["nightstand", "product:nila-bedside-table"],
    ["tv stand", "product:alleppey-tv-unit"],
    ["almirah", "product:bidar-two-door-wardrobe"],
    ["centre table", "product:malpe-coffee-table"],
    ["king size bed", "product:manali-platform-bed"],
    ["6 seater dining table", "product:hampi-dining-table"],
    ["lamp for bed", "product:diya-table-lamp"],
  ])("finds what a buyer of %s wants", (query, card) => {
    expect(find(query).slice(0, 5)).toContain(card);
  });

  test("finds a SKU by its beginning, even if a part of it could be a price", () => {
    const product = entries.find(({ card }) => card.kind === "product");
    const card = { ...product!.card, id: "prd_by_sku", slug: "by-sku" };
    const sold = { ...product!, card, skus: ["S365F0B74-6189-OAK-2K"] };
    const shop = catalogIndex(segmentOf([...entries, sold]), emptySegment);
    for (const q of ["S365F0B74-6189-OAK-2K", "s365f0b74-6189-oak-2", "S365F0B74-6189"]) {
      const { cards, query_price } = catalogPage(shop, { q, page: 1, per_page: 24 });
      expect(cards.map((text) => (JSON.parse(text) as { id: string }).id)).toEqual([card.id]);
      expect(query_price).toBeUndefined();
    }
  });

  test("shows a sofa's picture and swatch in the colour that the query names", () => {
    const { cards } = catalogPage(index, { q: "sage armchair", page: 1, per_page: 24 });
    const chair = cards
      .map((card) => JSON.parse(card) as (typeof entries)[number]["card"])
      .find(({ slug }) => slug === "kaveri-lounge-chair");
    expect(chair?.swatches[0]?.code).toBe("sage");
    expect(chair?.image?.alt).toContain("sage");
  });
});
