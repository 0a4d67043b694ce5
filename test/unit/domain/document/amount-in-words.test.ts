import * as fc from "fast-check";
import { expect, test } from "vitest";
import { amountInWords } from "#shared/domain/document/amount-in-words.ts";

test.each([
  [0, "INR", "Rupees Zero Only"],
  [1, "INR", "Rupees Zero and One Paise Only"],
  [100, "INR", "Rupees One Only"],
  [2_150_050, "INR", "Rupees Twenty-One Thousand Five Hundred and Fifty Paise Only"],
  [
    12_345_678_99,
    "INR",
    "Rupees One Crore Twenty-Three Lakh Forty-Five Thousand Six Hundred Seventy-Eight and Ninety-Nine Paise Only",
  ],
  [10_000_000_00, "INR", "Rupees One Crore Only"],
  [1_000_000_000_000_00, "INR", "Rupees One Lakh Crore Only"],
  [1_519, "EUR", "EUR Fifteen and 19/100 Only"],
  [
    1_234_567_00,
    "USD",
    "USD One Million Two Hundred Thirty-Four Thousand Five Hundred Sixty-Seven Only",
  ],
  [1_519, "JPY", "JPY One Thousand Five Hundred Nineteen Only"],
  [1_005, "KWD", "KWD One and 005/1000 Only"],
])("writes %i of %s as %s", (amount, currency, words) => {
  expect(amountInWords(amount, currency)).toBe(words);
});

test("different amounts have different words", () => {
  const amount = fc.integer({ min: 0, max: 10 ** 14 });
  fc.assert(
    fc.property(amount, amount, fc.constantFrom("INR", "EUR"), (one, other, currency) => {
      const [left, right] = [one, other].map((each) => amountInWords(each, currency));
      expect(left === right).toBe(one === other);
      expect(left).not.toMatch(/undefined|-- |  /);
    }),
  );
});
