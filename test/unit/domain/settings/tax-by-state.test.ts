import { expect, test } from "vitest";
import { taxZonesFit } from "#shared/domain/settings/setup-checklist.ts";
import { aTax } from "#test/support/shop/commerce.ts";

const inKarnataka = { country: "IN", tax_id: "29AAGCB7383J1Z4" };
const [karnataka, india] = aTax().zones;
if (!karnataka || !india) throw new Error("the tax settings have two zones");
const withPins = (...postal_prefixes: string[]) => ({ ...karnataka, postal_prefixes });

test.each([
  ["the shop's own zones", [karnataka, india]],
  ["a zone of longer prefixes in the home state", [withPins("560001"), karnataka, india]],
  ["no zones", []],
  ["zones without tax", [{ ...india, classes: { standard: [] } }]],
  ["zones of another country", [{ ...india, country: "SG" }, karnataka, india]],
])("%s agree with the states of their PINs", (_, zones) => {
  expect(taxZonesFit(inKarnataka, zones)).toBe(true);
});

test.each([
  ["IGST in the home state", [india]],
  ["IGST in a part of the home state", [withPins("56", "57", "58"), india]],
  ["CGST in another state", [withPins("56", "57", "58", "59", "60"), india]],
  ["CGST in a part of another state", [withPins("56", "57", "58", "59", "400001"), india]],
  ["a later zone for the home state", [india, karnataka]],
])("%s contradicts the states of the PINs", (_, zones) => {
  expect(taxZonesFit(inKarnataka, zones)).toBe(false);
});

test("a shop in a state that shares digits with another may have either tax there", () => {
  const punjab = { country: "IN", tax_id: "03AAGCB7383J1Z8" };
  expect(taxZonesFit(punjab, [withPins("14", "15"), india])).toBe(true);
  expect(taxZonesFit(punjab, [withPins("14", "15", "160"), india])).toBe(true);
});

test.each([
  { country: "IN", tax_id: null },
  { country: "SG", tax_id: "201912345K" },
])("zones are not judged without a GSTIN: %j", (store) => {
  expect(taxZonesFit(store, [india])).toBe(true);
});
