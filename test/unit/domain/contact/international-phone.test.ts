import * as fc from "fast-check";
import { expect, test } from "vitest";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { Phone } from "#shared/domain/base/text.ts";

test.each([
  ["IN", "9812345678", "+919812345678"],
  ["IN", "+919812345678", "+919812345678"],
  ["IN", "919812345678", "+919812345678"],
  ["IN", "09812345678", "+919812345678"],
  ["IN", "00919812345678", "+919812345678"],
  ["IN", "+9109812345678", "+919812345678"],
  ["IN", "(022) 2345-6789", "+912223456789"],
  ["IN", "+44 (0)20 7946 0958", "+442079460958"],
  ["IN", "971501234567", "+971501234567"],
  ["IN", "+1 415 555 0132", "+14155550132"],
  ["GB", "020 7946 0958", "+442079460958"],
  ["GB", "00919812345678", "+919812345678"],
  ["US", "(415) 555-0132", "+14155550132"],
  ["US", "1-415-555-0132", "+14155550132"],
  ["US", "011 91 98123 45678", "+919812345678"],
  ["AU", "0011 64 21 123 456", "+6421123456"],
  ["RU", "8 916 123-45-67", "+79161234567"],
  ["RU", "800 123-45-67", "+78001234567"],
  ["HU", "06 30 123 4567", "+36301234567"],
  // Italian numbers keep their leading zero; Spanish ones have no trunk prefix.
  ["IT", "06 1234 5678", "+390612345678"],
  ["GB", "+39 06 1234 5678", "+390612345678"],
  ["ES", "612 345 678", "+34612345678"],
  // Old and new notations of countries whose mobile numbers have changed: Mexico, Argentina and Brazil.
  ["MX", "55 1234 5678", "+525512345678"],
  ["MX", "+52 1 55 1234 5678", "+525512345678"],
  ["US", "5215512345678", "+525512345678"],
  ["AR", "011 15 5874-9895", "+5491158749895"],
  ["AR", "+54 9 11 5874-9895", "+5491158749895"],
  ["IN", "+54 11 15 5874 9895", "+5491158749895"],
  ["AR", "0351 15 612 3456", "+5493516123456"],
  ["AR", "03488 15 412345", "+5493488412345"],
  ["BR", "(31) 8765-4321", "+5531987654321"],
  ["BR", "0 31 98765-4321", "+5531987654321"],
  ["IN", "+55 11 6123 4567", "+5511961234567"],
  // Landlines and trunked radio of Brazil have eight digits; in Argentina a number without a 9 may be a landline's.
  ["BR", "(31) 3765-4321", "+553137654321"],
  ["BR", "(11) 7765-4321", "+551177654321"],
  ["AR", "011 5874-9895", "+541158749895"],
  // Without plus and trunk prefix, the number may belong to another country.
  ["AR", "393 15 1234567", "+393151234567"],
  ["MX", "1 415 555 0132", "+14155550132"],
  // This country code does not exist.
  ["AQ", "1234567", "+1234567"],
  ["AQ", "20 0212345678", "+20212345678"],
])("in the country %s, the phone number %s is stored as %s", (country, typed, meant) => {
  expect(internationalPhone(Phone.parse(typed), country)).toBe(meant);
});

const countries = ["IN", "GB", "US", "DE", "IT", "RU", "HU", "AE", "AU", "JP", "SG", "AQ"];
const country = fc.constantFrom(...countries);
const renumbered = fc.constantFrom("MX", "AR", "BR");
const digits = (least: number, most: number) =>
  fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
const phone = fc
  .tuple(fc.constantFrom("", "+", "0", "00", "+521", "+54", "+55"), digits(7, 13))
  .map((all) => all.join(""));

test("converting an international number again, for any country, does not change it", () => {
  fc.assert(
    fc.property(phone, fc.oneof(country, renumbered), country, (typed, one, other) => {
      const meant = internationalPhone(typed, one);
      expect(meant).toMatch(/^\+[0-9]*$/);
      expect(internationalPhone(meant, other)).toBe(meant);
    }),
  );
});

test("an Indian mobile number becomes the same international number in every usual notation", () => {
  const mobile = fc.stringMatching(/^[6-9][0-9]{9}$/);
  fc.assert(
    fc.property(mobile, (number) => {
      const ways = ["", "0", "+91", "91", "0091", "+91 0", "0 91", "(0) "].map((way) =>
        internationalPhone(Phone.parse(`${way}${number}`), "IN"),
      );
      expect(new Set(ways)).toEqual(new Set([`+91${number}`]));
    }),
  );
});

test("different national numbers of a country become different international numbers", () => {
  const national = fc.stringMatching(/^[1-9][0-9]{6,7}$/);
  fc.assert(
    fc.property(national, national, country, (one, other, where) => {
      fc.pre(one !== other);
      expect(internationalPhone(one, where)).not.toBe(internationalPhone(other, where));
    }),
  );
});
