import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RelatedCandidate, rankRelated } from "#shared/domain/listing/related.ts";

const aCandidate = (id: string, overrides: Partial<RelatedCandidate> = {}): RelatedCandidate => ({
  id,
  kind: "product",
  price: 1_000,
  popularity: 0,
  in_stock: true,
  category: [],
  room: [],
  style: [],
  ...overrides,
});

const subject = aCandidate("self", {
  category: ["chairs"],
  room: ["living-room"],
  style: ["modern"],
});

describe("related items", () => {
  test("are sorted by staff picks, then category, room, style and price", () => {
    const far = { price: 9_000 };
    const others = [
      aCandidate("nothing", far),
      aCandidate("price"),
      aCandidate("style", { ...far, style: ["modern"] }),
      aCandidate("room", { ...far, room: ["living-room"] }),
      aCandidate("category", { ...far, category: ["chairs"] }),
    ];
    expect(rankRelated(subject, [aCandidate("pick", far)], others, 10)).toEqual([
      { id: "pick", reason: "staff_pick" },
      { id: "category", reason: "same_category" },
      { id: "room", reason: "same_room" },
      { id: "style", reason: "same_style" },
      { id: "price", reason: "similar_price" },
      { id: "nothing", reason: "popular" },
    ]);
  });

  test("are sorted by popularity if they are otherwise equal", () => {
    const others = [aCandidate("a"), aCandidate("b", { popularity: 5 })];
    expect(rankRelated(subject, [], others, 1)).toMatchObject([{ id: "b" }]);
  });

  test("are ranked last when out of stock, including staff picks; sofas always count as in stock", () => {
    const picks = [
      aCandidate("gone", { in_stock: false }),
      aCandidate("sofa", { kind: "sofa", in_stock: false }),
    ];
    const ids = rankRelated(subject, picks, [aCandidate("other")], 3).map(({ id }) => id);
    expect(ids).toEqual(["sofa", "other", "gone"]);
  });

  test("never contain the item itself, duplicates, or more items than the limit", () => {
    const candidates = fc.array(
      fc.constantFrom("self", "a", "b", "c", "d").map((id) => aCandidate(id)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(candidates, candidates, fc.nat(5), (picks, others, limit) => {
        const ids = rankRelated(subject, picks, others, limit).map(({ id }) => id);
        expect(ids).not.toContain("self");
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
