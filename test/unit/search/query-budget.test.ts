import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Money } from "#shared/domain/base/money.ts";
import { budgetIn } from "#shared/search/query-budget.ts";

describe("the budget in a query", () => {
  test.each([
    ["sofa under 50000", 0, 50_000, "sofa"],
    ["sofa under 50,000", 0, 50_000, "sofa"],
    ["lamp below 5k", 0, 5_000, "lamp"],
    ["under ₹5,000 lamp", 0, 5_000, "lamp"],
    ["rs.5000 chair", 0, 5_000, "chair"],
    ["5000 rupees chair", 0, 5_000, "chair"],
    ["sofa upto 40000/-", 0, 40_000, "sofa"],
    ["bed under 1.5 lakh", 0, 150_000, "bed"],
    ["no more than 3000 chair", 0, 3_000, "chair"],
    ["chair 5000 or less", 0, 5_000, "chair"],
    ["sofa between 10000 and 20000", 10_000, 20_000, "sofa"],
    ["from 5000 to 10000 rug", 5_000, 10_000, "rug"],
    ["sofa 10-20k", 10_000, 20_000, "sofa"],
    ["10000to20000 sofa", 10_000, 20_000, "sofa"],
    ["above 50k bed", 50_000, Infinity, "bed"],
    ["mirror around 8k", 6_000, 10_000, "mirror"],
  ])("is understood in %s", (query, min, max, rest) => {
    expect(budgetIn(query)).toEqual({ budget: { min, max }, rest, isSure: true });
  });

  test("is a guess if nothing marks the number as a price", () => {
    expect(budgetIn("sofa 50000")?.isSure).toBe(false);
  });

  test.each([
    "tv unit 65 inch",
    "4k tv unit",
    "desk under 80",
    "table between 100 and 150 cm",
    "table under 1200 mm",
    "bed for 6 to 8",
    "bed 60 x 78",
    "bed 72x78",
    "3-4 seater",
    "ACH-5000",
    "zephyr-stool-3f2a91-8621",
    "S365F0B74-6189-OAK-2",
    "18016b43-65c3",
    "zephyr-stool-9aed9986-571e",
    "6189-OAK-2",
    "50000 martindale",
    "under 99999999999999999999",
    "1".repeat(40),
    "less than 2 m",
    "sofa",
  ])("is not read into %s", (query) => {
    expect(budgetIn(query)).toBeUndefined();
  });

  test("is found or not in any text, and never exceeds the amounts that a response may contain", () => {
    const part = fc.constantFrom(
      "around",
      "1".repeat(9),
      "9".repeat(30),
      "lakh",
      "under",
      "rs",
      "₹",
      "5000",
      "5",
      "k",
      "-",
      "to",
      ",",
      ".",
      "cm",
      "é",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.constantFrom("", " "), (parts, between) => {
        const { min, max } = budgetIn(parts.join(between))?.budget ?? { min: 0, max: 0 };
        expect(min).toBeLessThanOrEqual(max);
        const amounts = [min, max]
          .filter((value) => value < Infinity)
          .map((value) => value * 1_000);
        for (const amount of amounts)
          expect(Money.safeParse(Math.round(amount)).success).toBe(true);
      }),
    );
  });
});
