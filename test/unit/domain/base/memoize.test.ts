import { expect, test } from "vitest";
import { memoized } from "#shared/domain/base/memoize.ts";

test("a memoized function computes its value once for each combination of names", () => {
  let made = 0;
  const of = memoized((one: string, other: string) => ({ one, other, number: (made += 1) }));
  expect(of("en-IN", "INR")).toBe(of("en-IN", "INR"));
  expect(of("en-IN", "EUR")).toEqual({ one: "en-IN", other: "EUR", number: 2 });
  expect(of("INR", "en-IN")).toEqual({ one: "INR", other: "en-IN", number: 3 });
});
