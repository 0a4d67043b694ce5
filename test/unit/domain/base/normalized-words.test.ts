import * as fc from "fast-check";
import { expect, test } from "vitest";
import { normalizeText, normalizedWords } from "#shared/domain/base/normalized-words.ts";

test.each([
  ["CHAIR", "chair"],
  ["Crème brûlée", "creme brulee"],
  ["Søren", "soren"],
  ["Łukasz", "lukasz"],
  ["Đặng", "dang"],
  ["WEIẞ", "weiss"],
  ["Weiß", "weiss"],
  ["Yıldız", "yildiz"],
  ["İpek", "ipek"],
  ["Æsa", "aesa"],
  ["Ǽ", "ae"],
  ["Þórsdóttir", "thorsdottir"],
  ["Guðrún", "gudrun"],
  ["Œuvre", "oeuvre"],
  ["Ħal Għaxaq", "hal ghaxaq"],
  ["ℕ", "n"],
  ["सोफ़ा", "सोफा"],
  ["বাড়ি", "বাডি"],
  ["كَنَبَة", "كنبه"],
  ["كنـــب", "كنب"],
  ["کُرسی", "كرسي"],
  ["أريكة", "اريكه"],
  ["סַפָּה", "ספה"],
])("the text %s is normalized to %s", (written, typed) => {
  expect(normalizeText(written)).toBe(typed);
});

test("word normalization is idempotent", () => {
  const texts = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
    }),
  );
});

test("a letter that normalizes to two letters does not split its word", () => {
  expect(normalizedWords("Weiß-Æsa & Cœur")).toEqual(["weiss", "aesa", "coeur"]);
});
