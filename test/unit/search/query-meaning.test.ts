import { describe, expect, test } from "vitest";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { catalogPage } from "#shared/search/catalog-page.ts";
import { searchRules } from "#shared/search/search-rules.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import type { SearchText } from "#shared/domain/catalog/card.ts";
import { anEntry } from "../catalog-index/entries.ts";

/** A card with these texts; the price is in rupees. */
const named = (id: string, name: string, text: Partial<SearchText>, rupees = 1_000) =>
  anEntry(id, { card: { name, price: rupees * 100 }, text, skus: [id.toUpperCase()] });

const shopOf = (...entries: ReturnType<typeof named>[]) =>
  catalogIndex(segmentOf(entries), emptySegment);

function found(q: string, index: ReturnType<typeof shopOf>) {
  const { cards, match, query_price } = catalogPage(index, { q, page: 1, per_page: 24 });
  const ids = cards.map((card) => (JSON.parse(card) as { id: string }).id);
  return { ids, match, ...(query_price && { query_price }) };
}

describe("a budget in the query", () => {
  const shop = shopOf(
    named("plain", "Plain Sofa", { kind: "Sofas", noun: "sofa" }, 42_000),
    named("deep", "Deep Sofa", { kind: "Sofas", noun: "sofa", body: "50,000 rubs" }, 73_000),
    named("grand", "Grand Sofa", { kind: "Sofas", noun: "sofa" }, 99_000),
    named("10045", "Desk Lamp", { kind: "Lamps", noun: "lamp" }, 3_000),
  );

  test("lists the matching cards in the price range and says which range that is", () => {
    expect(found("sofa under 50000", shop)).toEqual({
      ids: ["plain"],
      match: "all",
      query_price: { min: null, max: 50_000_00 },
    });
    expect(found("sofa between 70k and 80k", shop)).toEqual({
      ids: ["deep"],
      match: "all",
      query_price: { min: 70_000_00, max: 80_000_00 },
    });
    expect(found("sofa 50000", shop).ids).toEqual(["plain"]);
  });

  test("lists the nearest prices as partial matches if no matching card is in the range", () => {
    expect(found("sofa below 20k", shop)).toMatchObject({
      ids: ["plain", "deep", "grand"],
      match: "partial",
    });
    expect(found("sofa above 2 lakh", shop).ids).toEqual(["grand", "deep", "plain"]);
  });

  test("lists every card in the range if the query names no kind of item", () => {
    expect(found("under 5000", shop)).toMatchObject({ ids: ["10045"], match: "all" });
    expect(found("birthday present under 5000", shop)).toMatchObject({
      ids: ["10045"],
      match: "partial",
    });
  });

  test("does not replace a SKU that is a number", () => {
    expect(found("10045", shop)).toEqual({ ids: ["10045"], match: "all" });
    expect(found("1004", shop).ids).toEqual(["10045"]);
  });

  test("leaves out cards that staff hide from search", () => {
    const rules = searchRules({ synonyms: [], boosts: [], hidden: ["10045"] });
    const { cards } = catalogPage(shop, { q: "under 5000", page: 1, per_page: 9, rules });
    expect(cards.join()).not.toContain("Desk Lamp");
  });
});

describe("a negated word in the query", () => {
  const shop = shopOf(
    named("arms", "Oslo Armchair", { kind: "Chairs", noun: "armchair", body: "Wide arms" }),
    named("spindle", "Bergen Chair", { kind: "Chairs", noun: "chair", body: "A carved seat" }),
    named("plain", "Voss Chair", { kind: "Chairs", noun: "chair", body: "A chair without arms" }),
  );

  test.each(["chair without arms", "chair no arms", "armless chair", "chair not with arms"])(
    "leaves out the cards with that word, and prefers cards that say they lack it: %s",
    (query) => {
      expect(found(query, shop)).toEqual({ ids: ["plain", "spindle"], match: "all" });
    },
  );

  test("lists the cards with that word as partial matches if there are no others", () => {
    const armchairs = shopOf(named("arms", "Armchair", { kind: "Chairs", body: "Wide arms" }));
    expect(found("chair without arms", armchairs)).toEqual({ ids: ["arms"], match: "partial" });
  });

  test("does not find the cards whose text negates it by the word alone", () => {
    expect(found("arms", shop).ids).toEqual(["arms"]);
  });

  test("does not leave out the item that stands for its part", () => {
    const beds = shopOf(named("low", "Low Bed", { kind: "Beds", noun: "bed" }));
    expect(found("bed no headboard", beds)).toEqual({ ids: ["low"], match: "all" });
  });
});

describe("a word that names a kind of item", () => {
  const shop = shopOf(
    named("lamp", "Diya", { kind: "Floor Lamps" }),
    named("desk", "Rishi Desk", { kind: "Desks", attributes: "Light mango wood" }),
    named("chest", "Bidar Chest", { kind: "Chests", body: "Light to lift, beside a lamp" }),
    named("set", "Study Set", { kind: "Desks", context: "Lamp" }),
  );

  test("does not find cards by an adjective that is also its synonym", () => {
    expect(found("lamp", shop)).toEqual({ ids: ["lamp", "set"], match: "all" });
  });

  test("does not list cards that only mention it beside cards of that kind", () => {
    expect(found("light", shop).ids).not.toContain("desk");
    expect(found("lamp", shop).ids).not.toContain("chest");
  });

  test("finds the cards that mention it if the shop has none of that kind", () => {
    const desks = shopOf(named("chest", "Chest", { kind: "Chests", body: "Stands by a lamp" }));
    expect(found("lamp", desks)).toEqual({ ids: ["chest"], match: "all" });
  });
});

describe("a word for a kind of item", () => {
  const shop = shopOf(
    named("lamp", "Jantar Lamp", { kind: "Lamps", noun: "lamp", attributes: "Wood" }),
    named("desk", "Desk in Light Mango Wood", {
      kind: "Desks",
      noun: "desk",
      context: "light wood",
    }),
    named("arc", "Arc Light in Wood", { kind: "Lighting", noun: "light" }),
  );

  test("does not find other items by an adjective of their name that is also its synonym", () => {
    const { ids, match } = found("wooden lamp", shop);
    expect([ids.toSorted(), match]).toEqual([["arc", "lamp"], "all"]);
  });
});

describe("a number with a unit", () => {
  const shop = shopOf(
    named("small", "Stool", { kind: "Stools", attributes: "60 cm" }),
    named("loveseat", "Two-Seater", { kind: "Sofas", attributes: "2 seater" }),
    named("set", "Set of 24", { kind: "Sets", body: "For 2, or 60 guests" }),
    named("rug", "Voss", { kind: "Rugs", attributes: "4 × 6 ft\n5x8 ft" }),
    named("weight", "Anchor", { kind: "Weights", attributes: "60 kg" }),
    named("bed", "Daybed 2 in 1", { kind: "Beds", attributes: "190 x 200 cm" }),
  );

  test.each([
    ["60 cm", ["small"]],
    ["60cm", ["small"]],
    ["600 mm", ["small"]],
    ["0.6 m", ["small"]],
    ["60 kg", ["weight"]],
    ["4 ft rug", ["rug"]],
    ["5 by 8 feet", ["rug"]],
    ["190 cm", ["bed"]],
    ["2 m", ["bed"]],
    ["2 in 1", ["bed"]],
    ["2 seater", ["loveseat"]],
  ])("matches that measure alone: %s", (q, ids) => {
    expect(found(q, shop)).toEqual({ ids, match: "all" });
  });

  test.each(["61 kg", "2 kg", "24 cm", "60 m"])("matches nothing else: %s", (q) => {
    expect(found(q, shop)).toEqual({ ids: [], match: "none" });
  });
});

describe("words as people write them", () => {
  const shop = shopOf(
    named("panel", "T.V. Panel", { kind: "Panels" }),
    named("tall", "TV Console", { kind: "Consoles" }),
    named("soft", "Arm\u00adchair So\u200dlo\u200c", { kind: "Chairs" }),
    named("led", "L.E.D Strip", { kind: "Strips" }),
  );

  test.each([
    ["tv panel", ["panel"]],
    ["t.v. panel", ["panel"]],
    ["T.V panel", ["panel"]],
    ["t.v. console", ["tall"]],
    ["led strip", ["led"]],
    ["armchair solo", ["soft"]],
    ["arm\u00adchair so\u2060lo", ["soft"]],
  ])("finds %j", (q, ids) => {
    expect(found(q, shop)).toEqual({ ids, match: "all" });
  });
});

describe("the words of buyers", () => {
  const shop = shopOf(
    named("sofa", "Oslo", { kind: "Sofas", attributes: "3 seater" }),
    named("bed", "Bergen", { kind: "Beds", attributes: "Queen, 60 × 78 in\nKing, 72 × 78 in" }),
    named("rug", "Voss", { kind: "Rugs" }),
    named("swing", "Hamar Rocking Chair", { kind: "Chairs", noun: "chair" }),
    named("cushion", "Lom", { kind: "Cushions" }),
    named("desk", "Molde", { kind: "Desks", noun: "desk", body: "Folds flat" }),
  );

  test.each([
    ["a missing first letter", "ofa", "sofa"],
    ["a wrong first letter", "zofa", "sofa"],
    ["a slip in a kind of three letters", "bef", "bed"],
    ["a picture", "🛋️", "sofa"],
    ["feet for inches", "5 ft bed", "bed"],
    ["centimetres for inches", "183 cm bed", "bed"],
    ["an unfinished number of seats", "3 se", "sofa"],
    ["an ability", "foldable desk", "desk"],
    ["Hindi in Latin letters: khatiya", "khatiya", "bed"],
    ["Hindi in Latin letters: jhoola", "jhoola", "swing"],
    ["Hindi in Latin letters: razai", "razai", "cushion"],
    ["Hindi in Latin letters: darri", "darri", "rug"],
    ["Hindi in Latin letters: lakdi ka palang", "palang", "bed"],
    ["Hindi in Latin letters: takiya", "takiya", "cushion"],
  ])("are understood with %s", (_, query, id) => {
    const { ids, match } = found(query, shop);
    expect([ids[0], match]).toEqual([id, "all"]);
  });

  test("are not corrected if they are numbers", () => {
    const index = shopOf(named("tall", "Tall Shelf", { kind: "Shelves", attributes: "1200" }));
    expect(found("1100", index)).toEqual({ ids: [], match: "none" });
  });

  test("are corrected to no other words than kinds of items if they have three letters", () => {
    const index = shopOf(named("oak", "Bench", { kind: "Benches", attributes: "Oak" }));
    expect(found("oax", index)).toEqual({ ids: [], match: "none" });
  });
});
