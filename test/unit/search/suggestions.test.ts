import { describe, expect, test } from "vitest";
import { catalogIndex } from "#shared/search/catalog-index.ts";
import { emptySegment, segmentOf } from "#shared/search/segment.ts";
import { suggestions } from "#shared/search/suggestions.ts";
import { anEntry } from "../catalog-index/entries.ts";

const sofa = (id: string, seats: number, popularity: number) =>
  anEntry(id, {
    card: { kind: "sofa", name: `Sofa ${id}` },
    seats: [seats],
    popularity,
    text: { kind: "Sofas", attributes: `${seats} seater` },
  });
const wardrobe = anEntry("wardrobe", {
  card: { name: "Three-Door Wardrobe" },
  popularity: 9,
  text: { kind: "Wardrobes", context: "Seating" },
});
const index = catalogIndex(segmentOf([sofa("b", 3, 1), sofa("c", 2, 2), wardrobe]), emptySegment);
const suggested = (typed: string) => {
  const { queries, cards } = suggestions({ index, documents: {}, version: 1 }, typed);
  return { queries, cards: cards.map(({ id }) => id) };
};

describe("suggestions for an unfinished number of seats", () => {
  test.each([
    ["3 se", "3 seater"],
    ["three se", "three seater"],
    ["3", "3 seater"],
  ])("complete %s to %s", (typed, query) => {
    expect(suggested(typed).queries).toEqual([query]);
  });

  test("are the sofas with that number of seats", () => {
    expect(suggested("3 se").cards).toEqual(["b"]);
  });
});

describe("suggestions", () => {
  const colors = ["grey", "green", "blue", "brown", "black", "beige"];
  const entries = colors.flatMap((color, at) =>
    Array.from({ length: 5 }, (_, number) =>
      anEntry(`${color}-${number}`, {
        card: { name: `Ottoman ${color} ${number}` },
        facets: {
          color: [color],
          material: Array.from({ length: 4 }, (_of, nth) => `b${at}${nth}`),
        },
        labels: {
          material: Object.fromEntries(
            Array.from({ length: 4 }, (_of, nth) => [
              `b${at}${nth}`,
              { label: `Br cloth ${at}${nth}` },
            ]),
          ),
        },
        text: { kind: "Ottomans", attributes: `${color}\nBr cloth ${at}${number}` },
      }),
    ),
  );
  const shop = catalogIndex(segmentOf(entries), emptySegment);

  /** Suggests, and counts the searches of the cards: each asks once which cards are sold out. */
  function counted(typed: string) {
    let searches = 0;
    const values = new Map(shop.facets.values);
    const get = values.get.bind(values);
    values.get = (code) => {
      if (code === "sold_out") searches += 1;
      return get(code);
    };
    const counting = { ...shop, facets: { ...shop.facets, values } };
    const { queries } = suggestions({ index: counting, documents: {}, version: 1 }, typed);
    return { queries, searches };
  }

  test.each([
    ["a word with many completions", "ottoman br"],
    ["a phrase of the shop", "br"],
    ["words that no card has", "zyxwvut qwrtpsd br"],
    ["a budget", "ottoman under 5000 br"],
    ["a number", "under 5000 br"],
  ])("of %s take at most two searches", (_, typed) => {
    expect(counted(typed).searches).toBeLessThanOrEqual(2);
  });

  test("complete the last word only with what cards of the words before it have", () => {
    expect(counted("ottoman gr").queries).toEqual(["ottoman grey", "ottoman green"]);
    expect(counted("ottoman grey bl").queries).toEqual([]);
    expect(counted("zyxwvut gr").queries).toEqual([]);
  });
});
