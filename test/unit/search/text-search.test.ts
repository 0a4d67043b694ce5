import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { decodeBase, encodeBase } from "#shared/search/index-format.ts";
import { editDistance } from "#shared/search/typos.ts";
import { queryWords, wordsOf } from "#shared/search/words.ts";
import { normalizeText } from "#shared/domain/base/normalized-words.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { slowEditDistance } from "../catalog-index/oracle.ts";

const named = (id: string, name: string, keywords = "", body = "", popularity = 0) =>
  anEntry(id, { card: { name }, text: { name, keywords, body }, popularity });

const shop = [
  named("oslo", "Oslo Lounge Chair", "chairs teak velvet", "a deep seat"),
  named("bergen", "Bergen Bookcase", "storage oak", "for books; stands beside a chair", 9),
  named("creme", "Fauteuil Crème", "chair wool"),
  named("table", "Round Dining Table", "tables teak"),
  named("l-shape", "L Shape Corner", "sectional"),
];
const index = catalogIndex(segmentOf(shop), emptySegment);

function idsFor(q: string): string[] {
  const { cards } = catalogPage(index, { q, page: 1, per_page: 24 });
  return cards.map((card) => (JSON.parse(card) as { id: string }).id);
}

describe("text search", () => {
  test.each([
    ["an exact word", "fauteuil", ["creme"]],
    ["a prefix", "book", ["bergen"]],
    ["a missing accent", "creme", ["creme"]],
    ["an extra accent", "ôslo", ["oslo"]],
    ["capitals", "OSLO", ["oslo"]],
    ["a plural", "bookcases", ["bergen"]],
    ["a replaced letter", "velvat", ["oslo"]],
    ["a missing letter", "vlvet", ["oslo"]],
    ["an extra letter", "velvvet", ["oslo"]],
    ["swapped letters", "tabel", ["table"]],
    ["two typos in a long word", "bokcaese", ["bergen"]],
    ["words in any order and field", "seat oslo teak", ["oslo"]],
    ["stop words", "table with the teak", ["table"]],
    ["a single letter", "l", ["l-shape"]],
  ])("finds records by a query with %s", (_, query, ids) => {
    expect(idsFor(query)).toEqual(ids);
  });

  test.each([
    ["an unknown word", "spaceship"],
    ["one matching word of two", "oslo spaceship"],
    ["two typos in a short word", "vlvat"],
    ["a typo in a word of three letters", "oks"],
    ["the end of a word", "case"],
    ["only punctuation", " -- "],
    ["only stop words", "the of"],
  ])("finds no record by a query with %s", (_, query) => {
    expect(idsFor(query)).toEqual([]);
  });

  test("ranks matches in the name above keywords, and keywords above the body, regardless of popularity", () => {
    expect(idsFor("chair")).toEqual(["oslo", "creme", "bergen"]);
  });

  test("ranks equal matches by popularity, then by name", () => {
    const list = [
      named("b", "Lamp B", "", "", 1),
      named("a", "Lamp A", "", "", 1),
      named("c", "Lamp C", "", "", 2),
    ];
    const { cards } = catalogPage(catalogIndex(segmentOf(list), emptySegment), {
      q: "lamp",
      page: 1,
      per_page: 9,
    });
    expect(cards.map((card) => (JSON.parse(card) as { id: string }).id)).toEqual(["c", "a", "b"]);
  });

  test("corrects a query word to a similar word of a newer card once the last card with the query word is removed", () => {
    const base = segmentOf([named("old", "Settee")]);
    const overlay = segmentOf([named("new", "Settle")]);
    const page = (removed: string[]) =>
      catalogPage(catalogIndex(base, overlay, removed), { q: "settee", page: 1, per_page: 9 })
        .total;
    expect([page([]), page(["old"])]).toEqual([1, 1]);
    const only = catalogPage(catalogIndex(base, overlay, ["old"]), {
      q: "settee",
      page: 1,
      per_page: 9,
    });
    expect(only.cards[0]).toContain("Settle");
  });

  test("uses at most eight words of at most 32 letters", () => {
    const long = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");
    expect(queryWords(long)).toHaveLength(8);
    expect(queryWords("x".repeat(5_000))[0]).toHaveLength(32);
  });
});

describe("a search for a SKU", () => {
  const withSkus = (id: string, name: string, ...skus: string[]) =>
    anEntry(id, { card: { name }, text: { name, keywords: "", body: "" }, skus });
  const shelf = [
    withSkus("lounge", "Lounge Chair", "ACH-LOUNGE-OAT", "ACH-LOUNGE-RUST"),
    withSkus("wing", "Wing Chair", "ACH-WING"),
    withSkus("oak", "Oak Stool", "OAK"),
    withSkus("named", "Oak Table", "TBL-1"),
    withSkus("short", "Bench", "B"),
  ];
  const onShelf = catalogIndex(segmentOf(shelf), emptySegment);
  const found = (q: string, of = onShelf) =>
    catalogPage(of, { q, page: 1, per_page: 24 }).cards.map(
      (card) => (JSON.parse(card) as { id: string }).id,
    );

  test.each([
    ["the SKU as it is stored", "ACH-LOUNGE-RUST", ["lounge"]],
    ["the SKU in lower case", "ach-wing", ["wing"]],
    ["a prefix of several SKUs, each product once", "ach-", ["lounge", "wing"]],
    ["a prefix that ends within a word", "Ach-Lounge-R", ["lounge"]],
    ["a SKU that is also a word, before the products that match the word", "oak", ["oak", "named"]],
    ["a SKU of one letter", "b", ["short"]],
  ])("finds the product by %s", (_, query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  test.each([
    ["two characters", "ac"],
    ["the middle of the SKU", "lounge-oat-"],
    ["a text longer than the SKU", "ach-wings-1"],
  ])("does not find the product by %s", (_, query) => {
    expect(found(query)).toEqual([]);
  });

  test("finds a changed product by its new SKU only, and no removed product", () => {
    const overlay = segmentOf([withSkus("wing", "Wing Chair", "ACH-WING-2")]);
    const index = catalogIndex(segmentOf(shelf), overlay, ["lounge"]);
    expect([found("ach-", index), found("ach-lounge-oat", index)]).toEqual([["wing"], []]);
  });

  test("finds the product in an index that was stored before SKUs were searchable", () => {
    const stored = gunzipSync(encodeBase({ segment: segmentOf(shelf), documents: {} }));
    const older = Buffer.from(
      stored.toString("latin1").replace('"skuOrder"', '"nowhere_"'),
      "latin1",
    );
    const { segment } = decodeBase(gzipSync(older));
    expect(found("ach-wing", catalogIndex(segment, emptySegment))).toEqual(["wing"]);
  });
});

describe("the words of a search query", () => {
  test("are normalized and singular, without stop words and duplicates", () => {
    expect([...wordsOf("The Crème-brûlée CHAIRS, chair & glass of 3")]).toEqual([
      "creme",
      "brulee",
      "chair",
      "glass",
      "3",
    ]);
  });

  test("keep the vowel signs of other scripts", () => {
    expect([...wordsOf("सोफ़ा")]).toEqual([normalizeText("सोफ़ा")]);
    expect(normalizeText("की")).not.toBe(normalizeText("का"));
  });
});

describe("the edit distance", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });

  test("equals the optimal string alignment distance up to its limit", () => {
    fc.assert(
      fc.property(letters, letters, fc.integer({ min: 1, max: 2 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(slowEditDistance(a, b), limit + 1));
      }),
      { numRuns: 2_000 },
    );
  });
});
