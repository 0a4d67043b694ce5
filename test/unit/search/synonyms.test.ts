import { describe, expect, test } from "vitest";
import { furnitureBroader, furnitureSynonyms } from "#shared/search/furniture-synonyms.ts";
import { shippedSynonyms, synonymsFor, synonymsOf } from "#shared/search/synonyms.ts";

describe("the furniture synonyms", () => {
  test("are at least 60 sets of distinct phrases", () => {
    expect(furnitureSynonyms.length).toBeGreaterThanOrEqual(60);
    for (const set of [...furnitureSynonyms, ...furnitureBroader]) {
      expect(set.length).toBeGreaterThan(1);
      expect(new Set(set).size, set.join()).toBe(set.length);
      expect(set).not.toContain("");
    }
  });

  test.each([
    ["couch", "sofa"],
    ["settee", "sofa"],
    ["nightstand", "bedside table"],
    ["almirah", "wardrobe"],
    ["centre table", "coffee table"],
    ["tv stand", "tv unit"],
    ["carpet", "rug"],
    ["bookcase", "bookshelf"],
    ["सोफा", "sofa"],
    ["मेज", "table"],
    ["खाने की मेज", "dining table"],
  ])("know that %s means %s", (word, other) => {
    const synonyms = synonymsFor(word.split(" "), shippedSynonyms()) ?? [];
    expect(synonyms.map(({ words }) => words.join(" "))).toContain(other);
  });

  test("expand a general word to its special words, but no special word to the general one", () => {
    const of = (word: string) =>
      (synonymsFor([word], shippedSynonyms()) ?? []).map(({ words }) => words.join(" "));
    expect(of("wood")).toContain("teak");
    expect(of("teak")).not.toContain("wood");
  });
});

test("a shop's sets are added to the furniture synonyms, and a set of one phrase removes that phrase from them", () => {
  const own = synonymsOf([["sofa", "baithak"], ["settee"]]);
  const of = (word: string) => (synonymsFor([word], own) ?? []).map(({ words }) => words.join(" "));
  expect(of("baithak")).toEqual(["sofa"]);
  expect(of("couch")).toContain("sofa");
  expect(of("settee")).toEqual([]);
  expect(of("sofa")).not.toContain("settee");
});
