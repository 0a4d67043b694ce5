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
