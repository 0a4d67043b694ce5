import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { searchRules } from "#shared/search/search-rules.ts";
import { editDistance } from "#shared/search/typos.ts";
import type { SearchText } from "#shared/domain/catalog/card.ts";
import { anEntry } from "../catalog-index/entries.ts";
import { slowEditDistance } from "../catalog-index/oracle.ts";

/** A card with these texts. */
const named = (
  id: string,
  name: string,
  text: Partial<SearchText> = {},
  more: { popularity?: number; sold_out?: boolean } = {},
) => anEntry(id, { card: { name }, text, ...more });

const shop = [
  named("oslo", "Oslo Lounge Chair", {
    kind: "Armchairs",
    noun: "chair",
    attributes: "Teak\nVelvet",
  }),
  named("bergen", "Bergen", {
    kind: "Bookcases",
    attributes: "Oak",
    body: "Stands beside a chair, and folds for moving.",
  }),
  named("creme", "Fauteuil Crème", { kind: "Armchairs", attributes: "Wool" }),
  named("table", "Round Dining Table", {
    kind: "Dining Tables",
    noun: "table",
    attributes: "Teak\nSix-seater",
  }),
  named("corner", "Corner", {
    kind: "Sofas",
    attributes: "L-shape\nThree-seater\nTwo and a half seater",
  }),
  named("night", "Nila", { kind: "Bedside Tables", attributes: "Oak" }),
  named("lamp", "Diya", { kind: "Lamps", body: "A lamp for the bedside and the sofa" }),
  named("colour", "Carpet of many colours", { kind: "Rugs", attributes: "Grey" }),
];
const index = catalogIndex(segmentOf(shop), emptySegment);

function pageFor(q: string, of = index) {
  const { cards, match } = catalogPage(of, { q, page: 1, per_page: 24 });
  return { ids: cards.map((card) => (JSON.parse(card) as { id: string }).id), match };
}

describe("text search", () => {
  test.each([
    ["an exact word", "fauteuil", "creme"],
    ["the beginning of its last word", "lou", "oslo"],
    ["a missing accent", "creme", "creme"],
    ["an extra accent", "ôslo", "oslo"],
    ["capitals", "OSLO", "oslo"],
    ["a plural", "bookcases", "bergen"],
    ["a singular", "rug", "colour"],
    ["a replaced letter", "velvat", "oslo"],
    ["a missing letter", "vlvet", "oslo"],
    ["an extra letter", "velvvet", "oslo"],
    ["swapped letters", "dinign tabel", "table"],
    ["two typos in a long word", "bokcaese", "bergen"],
    ["a typo in a word that only synonyms know", "cuoch", "corner"],
    ["words in any order and field", "velvet oslo teak", "oslo"],
    ["stop words", "table with the teak", "table"],
    ["a joined word", "bookcase", "bergen"],
    ["a split word", "book case", "bergen"],
    ["two words written as one", "diningtable", "table"],
    ["a hyphen", "book-case", "bergen"],
    ["a digit for a number word", "6 seater", "table"],
    ["a number word for a digit", "three seater", "corner"],
    ["a number and its word as one", "3seater", "corner"],
    ["a half number", "2.5 seater", "corner"],
    ["words in another order", "seats six", "table"],
    ["a single letter and a word", "l shape", "corner"],
    ["a single letter joined to its word", "lshaped", "corner"],
    ["American spelling", "gray color", "colour"],
    ["another form of a verb", "folding", "bergen"],
    ["a synonym", "couch", "corner"],
    ["a synonym of two words", "nightstand", "night"],
    ["a phrase that is a synonym", "night table", "night"],
    ["a phrase with a synonym in it", "sectional couch", "corner"],
    ["a general word", "wooden chair", "oslo"],
  ])("finds the card first by a query with %s", (_, query, id) => {
    const { ids, match } = pageFor(query);
    expect([ids[0], match]).toEqual([id, "all"]);
  });

  const abroad = catalogIndex(
    segmentOf([
      ...shop,
      named("ete", "Fauteuil L’Été"),
      named("kanaba", "كَنَبَة"),
      named("sapa", "סַפָּה"),
      named("kursi", "کُرسی"),
    ]),
    emptySegment,
  );
  test.each([
    ["ete", "ete"],
    ["l'été", "ete"],
    ["ÉTÉ", "ete"],
    ["كنبة", "kanaba"],
    ["كنـــبه", "kanaba"],
    ["ספה", "sapa"],
    ["كرسي", "kursi"],
    ["सोफा", "corner"],
    ["सोफ़ा", "corner"],
  ])("reads %s as readers of its script do", (query, id) => {
    expect(pageFor(query, abroad)).toMatchObject({ ids: [id], match: "all" });
  });

  test.each([
    ["an unknown word", "spaceship"],
    ["a typo in a word of three letters", "teq"],
    ["only punctuation", " -- "],
    ["only stop words", "the of"],
  ])("finds no card by a query with %s", (_, query) => {
    expect(pageFor(query)).toEqual({ ids: [], match: "none" });
  });

  test("lists the best partial matches if no card matches all words", () => {
    expect(pageFor("oslo spaceship")).toEqual({ ids: ["oslo"], match: "partial" });
    expect(pageFor("velvet table")).toEqual({ ids: ["table", "night"], match: "partial" });
  });

  test("ranks cards of the kind that the query names first, and leaves out cards that only mention it", () => {
    const lamps = [
      named("text", "Kite", { kind: "Desks", body: "Put a lamp on it" }),
      named("kind", "Diya", { kind: "Lamps" }),
      named("name", "Lamp Stand", { kind: "Tables", noun: "stand" }),
      named("feature", "Chest", { kind: "Cabinets", attributes: "Lamp inside" }),
    ];
    const of = catalogIndex(segmentOf(lamps), emptySegment);
    expect(pageFor("lamp", of).ids).toEqual(["kind", "name"]);
  });

  test.each(["lamp for bed", "bed lamp", "lamp with a bed"])(
    "recognises in the query %s that the buyer wants a lamp",
    (query) => {
      const of = catalogIndex(
        segmentOf([
          named("bed", "Bed", { kind: "Beds", noun: "bed", body: "Room for a lamp" }),
          named("lamp", "Diya", { kind: "Lamps", body: "Stands beside the bed" }),
        ]),
        emptySegment,
      );
      expect(pageFor(query, of).ids[0]).toBe("lamp");
    },
  );

  test("ranks a card of the right kind with fewer matching words before a card of another kind with all words", () => {
    const of = catalogIndex(
      segmentOf([
        named("rug", "Rug", { kind: "Rugs", body: "Red, under any wardrobe" }),
        named("wardrobe", "Shimla", { kind: "Wardrobes" }),
      ]),
      emptySegment,
    );
    expect(pageFor("red wardrobe", of)).toEqual({ match: "partial", ids: ["wardrobe"] });
  });

  test("ranks equal matches by popularity, then by name, and sold-out cards last", () => {
    const list = [
      named("sold", "Lamp", {}, { popularity: 9, sold_out: true }),
      named("b", "Lamp B", {}, { popularity: 1 }),
      named("a", "Lamp A", {}, { popularity: 1 }),
      named("c", "Lamp C", {}, { popularity: 2 }),
    ];
    const of = catalogIndex(segmentOf(list), emptySegment);
    expect(pageFor("lamp", of).ids).toEqual(["c", "a", "b", "sold"]);
  });

  test("returns partial matches if no card of the listed kind matches all words, even if cards of other kinds do", () => {
    const of = catalogIndex(
      segmentOf([
        anEntry("sofa", { card: { kind: "sofa", name: "Blue Sofa" } }),
        anEntry("product", { card: { name: "Blue Chair" } }),
      ]),
      emptySegment,
    );
    const page = catalogPage(of, { q: "blue sofa", kind: "product", page: 1, per_page: 9 });
    expect([page.total, page.match]).toEqual([1, "partial"]);
  });

  test("corrects a query word to a similar word of a newer card once the last card with the query word is removed", () => {
    const base = segmentOf([named("old", "Kivik")]);
    const overlay = segmentOf([named("new", "Kivil")]);
    expect(pageFor("kivik", catalogIndex(base, overlay)).ids).toEqual(["old"]);
    expect(pageFor("kivik", catalogIndex(base, overlay, ["old"])).ids).toEqual(["new"]);
  });

  test("finds every card by all words of its name, whatever other cards exist", () => {
    const word = fc.constantFrom(
      "oslo",
      "wing",
      "teak",
      "velours",
      "crème",
      "chaise",
      "panel",
      "सोफ़ा",
    );
    const names = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(names, fc.nat(), (lists, chosen) => {
        const all = lists.map((words) => words.join(" "));
        const of = catalogIndex(
          segmentOf(all.map((name, at) => named(`id${at}`, name))),
          emptySegment,
        );
        const at = chosen % all.length;
        const { ids, match } = pageFor(all[at]!, of);
        expect([match, ids.includes(`id${at}`)]).toEqual(["all", true]);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["many words", Array.from({ length: 100 }, (_, at) => `word${at}`).join(" ")],
    ["one long word", "x".repeat(200)],
    ["combining marks", "e\u0301".repeat(100)],
    ["stop words only", "with for the of ".repeat(12)],
    ["typos in every word", "velvte ".repeat(28)],
  ])("answers a query of %s within 10 ms", (_, query) => {
    pageFor(query);
    const started = process.cpuUsage();
    for (let time = 0; time < 10; time += 1) pageFor(query);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 10).toBeLessThan(10_000);
  });
});

describe("the rules of staff for search", () => {
  const found = (q: string, rules: Partial<Parameters<typeof searchRules>[0]>) => {
    const all = { synonyms: [], boosts: [], hidden: [], ...rules };
    const { cards, match } = catalogPage(index, {
      q,
      page: 1,
      per_page: 9,
      rules: searchRules(all),
    });
    return { ids: cards.map((card) => (JSON.parse(card) as { id: string }).id), match };
  };

  test("add synonyms, of one word or several", () => {
    expect(found("baithak", { synonyms: [["baithak", "sofa"]] }).ids[0]).toBe("corner");
    expect(
      found("reading corner seat", { synonyms: [["reading corner seat", "lounge chair"]] }).ids,
    ).toEqual(["oslo"]);
  });

  test("remove a word from the furniture synonyms with a set that contains only this word", () => {
    expect(found("couch", { synonyms: [["couch"]] })).toEqual({ ids: [], match: "none" });
  });

  test("put the boosted cards of a query first, in any spelling of the query", () => {
    const boosts = [{ query: "dining tables", targets: ["lamp", "night"] }];
    expect(found("Dining  Table", { boosts }).ids).toEqual(["lamp", "night", "table"]);
    expect(found("spaceship", { boosts: [{ query: "spaceship", targets: ["lamp"] }] })).toEqual({
      ids: ["lamp"],
      match: "all",
    });
    expect(found("table", { boosts }).ids[0]).toBe("table");
  });

  test("answer a query with its boosted cards alone if no card matches all words", () => {
    expect(found("velvet table", {}).match).toBe("partial");
    const boosts = [{ query: "velvet table", targets: ["lamp"] }];
    expect(found("velvet table", { boosts })).toEqual({ ids: ["lamp"], match: "all" });
  });

  test.each(["the", "!!!", "with the best"])(
    "boost no card for the query %s, which has no searchable words",
    (query) => {
      const boosts = [{ query: "best", targets: ["lamp"] }];
      expect(found(query, { boosts })).toEqual({ ids: [], match: "none" });
    },
  );

  test("hide cards, even boosted ones, from search but not from lists", () => {
    const rules = { hidden: ["lamp"], boosts: [{ query: "lamp", targets: ["lamp"] }] };
    expect(found("lamp", rules).ids).not.toContain("lamp");
    const hiding = searchRules({ synonyms: [], ...rules });
    expect(catalogPage(index, { page: 1, per_page: 9, rules: hiding }).total).toBe(shop.length);
  });
});

describe("a colour or material in the query", () => {
  const swatch = (code: string) => ({ code, label: code, hex: null, sku: null, image: null });
  const picture = (url: string) => ({ url, alt: `Chair in ${url}`, width: 800, height: 600 });
  const chair = anEntry("chair", {
    card: { image: picture("media/oat.webp"), swatches: [swatch("oat"), swatch("sage")] },
    looks: [
      { words: "Oat\nBeige", swatch: swatch("oat"), image: picture("media/oat.webp") },
      { words: "Sage\nGreen", swatch: swatch("sage"), image: picture("media/sage.webp") },
      { words: "Rust\nOrange", swatch: swatch("rust"), image: null },
    ],
    text: { attributes: "Oat\nSage\nRust\nGreen\nBeige\nOrange" },
  });
  const of = catalogIndex(segmentOf([chair]), emptySegment);
  const shown = (q: string) => {
    const [card = "{}"] = catalogPage(of, { q, page: 1, per_page: 1 }).cards;
    const { image, swatches } = JSON.parse(card) as typeof chair.card;
    return [image?.url, image?.alt, swatches.map(({ code }) => code)];
  };

  test("puts the swatch of that colour first and shows its picture", () => {
    const inSage = ["media/sage.webp", "Chair in media/sage.webp", ["sage", "oat"]];
    expect(shown("sage chair")).toEqual(inSage);
    expect(shown("green chair")).toEqual(inSage);
    expect(shown("olive chair")).toEqual(inSage);
  });

  test("adds the swatch of a colour that the card does not list, and keeps the card's picture if that colour has none", () => {
    expect(shown("rust chair")).toEqual([
      "media/oat.webp",
      "Chair in media/oat.webp",
      ["rust", "oat", "sage"],
    ]);
  });

  test("changes nothing if the card does not have that colour", () => {
    const own = ["media/oat.webp", "Chair in media/oat.webp", ["oat", "sage"]];
    expect(shown("chair")).toEqual(own);
    expect(shown("beige chair")).toEqual(own);
  });
});

describe("a search for a SKU", () => {
  const withSkus = (id: string, name: string, ...skus: string[]) =>
    anEntry(id, { card: { name }, skus });
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
    ["the middle of the SKU", "ing-1"],
    ["a text longer than the SKU", "tbl-1-x"],
  ])("does not find the product by %s", (_, query) => {
    expect(found(query)).toEqual([]);
  });

  test("finds nothing by parts of the SKU of an item of another kind or without a card", () => {
    const sofa = anEntry("sofa", { card: { kind: "sofa", name: "Lounge Sofa in Oat" } });
    const index = catalogIndex(segmentOf([...shelf, sofa]), emptySegment);
    const otherSkus = new Set(["SWATCH-LOUNGE"]);
    const search = (q: string) => {
      const page = { page: 1, per_page: 24 };
      const { total, match } = catalogPage(index, { q, kind: "sofa", otherSkus, ...page });
      return [total, match];
    };
    expect(search("ach-lounge-oats")).toEqual([1, "partial"]);
    expect(search("ach-lounge-oat")).toEqual([0, "none"]);
    expect(search("swatch-loungy")).toEqual([1, "partial"]);
    expect(search("swatch-lounge")).toEqual([0, "none"]);
  });

  test("finds what matches all words of a query that is also the SKU of an item of another kind", () => {
    const sofa = anEntry("sofa", { card: { kind: "sofa", name: "Oak Sofa" } });
    const index = catalogIndex(segmentOf([...shelf, sofa]), emptySegment);
    const { total, match } = catalogPage(index, { q: "oak", kind: "sofa", page: 1, per_page: 24 });
    expect([total, match]).toEqual([1, "all"]);
  });

  const many = Array.from({ length: 20_000 }, (_, at) =>
    withSkus(`many${at}`, `Bench ${at}`, `ACH-${at}-A`, `ACH-${at}-B`, `ACH-${at}-C`),
  );
  const warehouse = catalogIndex(
    segmentOf([...many, withSkus("worded", "Achkan Stool", "TBL-2")]),
    emptySegment,
  );

  test("lists only the products whose words match if hundreds of SKUs have the prefix", () => {
    expect(found("ach", warehouse)).toEqual(["worded"]);
    const { total, match } = catalogPage(warehouse, { q: "ach-", page: 1, per_page: 1 });
    expect([total, match]).toEqual([1, "all"]);
  });

  test("lists all products whose SKUs have the prefix if no words match", { tags: "slow" }, () => {
    const stock = catalogIndex(segmentOf(many), emptySegment);
    const { total, match } = catalogPage(stock, { q: "ach", page: 1, per_page: 1 });
    expect([total, match]).toEqual([many.length, "all"]);
  });

  test("ranks an exact SKU first even if hundreds of other SKUs begin with it", () => {
    const exact = withSkus("exact", "Lamp", "ACH");
    const stock = catalogIndex(segmentOf([...many, exact]), emptySegment);
    expect(found("ach", stock)[0]).toBe("exact");
  });

  test(
    "costs at most ten times as much for a prefix of 60,000 SKUs as for a word of all cards",
    { tags: "slow" },
    () => {
      const stock = catalogIndex(segmentOf(many), emptySegment);
      const leastCost = (q: string) => {
        const times = Array.from({ length: 12 }, () => {
          const started = process.cpuUsage();
          catalogPage(stock, { q, page: 1, per_page: 1 });
          const { user, system } = process.cpuUsage(started);
          return user + system;
        });
        return Math.min(...times);
      };
      expect(leastCost("ach")).toBeLessThan(10 * leastCost("bench"));
    },
  );

  test("finds a changed product by its new SKU only, and no removed product", () => {
    const overlay = segmentOf([withSkus("wing", "Wing Chair", "ACH-WING-2")]);
    const index = catalogIndex(segmentOf(shelf), overlay, ["lounge"]);
    expect([found("ach-", index), found("ach-lounge-oat", index)]).toEqual([["wing"], []]);
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
