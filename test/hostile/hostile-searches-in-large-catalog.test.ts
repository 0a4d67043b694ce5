// @module-tag emulator
// @module-tag slow
import { beforeAll, describe, expect, test } from "vitest";
import { type CatalogIndex, catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { suggestions } from "#shared/search/suggestions.ts";
import { hostileSearches } from "#test/support/hostile/hostile-values.ts";
import { manyEntries } from "#test/support/shop/many-records.ts";
import { judgedQueries } from "#test/support/shop/relevance.ts";

const cards = 50_000;
/** An ordinary query takes about half a millisecond on a quiet machine, and a hostile one may take ten. */
const most = 10;
/** The CPU time of one search is less than what some kernels count, so several are measured together. */
const calls = 20;
const attempts = 5;

let index: CatalogIndex;
let reference: number;
beforeAll(() => {
  index = catalogIndex(segmentOf(manyEntries(cards)), emptySegment);
  const ordinary = judgedQueries.filter((_query, at) => at % 5 === 0);
  const costs = ordinary.map(({ query }) => costOf(query)).toSorted((one, other) => one - other);
  reference = costs[Math.floor(costs.length / 2)]!;
}, 600_000);

const searchFor = (q: string) => void catalogPage(index, { q, page: 1, per_page: 24 });

let typed = 0;
/** Suggests for words that were never typed before. */
function suggestFor(q: string): void {
  typed += 1;
  suggestions({ index, documents: {}, version: 1 }, `${typed} ${q}`.slice(0, 200));
}

/** The least CPU time of a search, or of suggestions, in microseconds. */
function costOf(q: string, answer: (q: string) => void = searchFor): number {
  const search = () => answer(q);
  search();
  const times = Array.from({ length: attempts }, () => {
    const started = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) search();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / calls;
  });
  return Math.min(...times);
}

describe("search in a catalog of 50,000 cards", () => {
  test("suggests for every hostile text, never typed before, at the CPU cost of two hostile searches", () => {
    const costs = Object.entries(hostileSearches).map(([kind, q]) => ({
      kind,
      times: costOf(q, suggestFor) / reference,
    }));
    expect(costs.filter(({ times }) => times > 2 * most)).toEqual([]);
  }, 600_000);

  test("answers every hostile query at the CPU cost of a few ordinary queries", () => {
    const costs = Object.entries(hostileSearches).map(([kind, q]) => {
      const times = costOf(q) / reference;
      return { kind, times };
    });
    const worst = Math.max(...costs.map(({ times }) => times));
    process.stdout.write(
      `Hostile searches among 50,000 cards: the most expensive cost as much as ${worst.toFixed(2)} ordinary ones of ${reference.toFixed(0)} µs.\n`,
    );
    expect(costs.filter(({ times }) => times > most)).toEqual([]);
  }, 600_000);
});
