import * as z from "zod";
import { memoized } from "../base/memoize.ts";
import { MachineText, readsAs } from "../base/machine-text.ts";
import { postalFormats, withoutPostalCodes } from "./postal-formats.ts";

const regionNames = memoized(
  () => new Intl.DisplayNames("en", { type: "region", fallback: "none" }),
);
/** Codes that CLDR names and ISO 3166-1 does not: unions, test regions and the unknown region. */
const noCountries = new Set(["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"]);

const isRegion = memoized(
  (code) =>
    !noCountries.has(code) &&
    regionNames().of(code) !== undefined &&
    new Intl.Locale("und", { region: code }).region === code,
);

/** Whether a code is a current country code of ISO 3166-1. Codes that ISO has replaced, such as DD, do not count. */
export const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && isRegion(code);

/** A country code of ISO 3166-1 alpha-2. */
export const Country = MachineText(8)
  .toUpperCase()
  .refine(isCountry, "The country must be an ISO 3166-1 alpha-2 code, such as IN.")
  .meta({ description: "ISO 3166-1 alpha-2 code", example: "IN" });
export type Country = z.output<typeof Country>;

/**
 * A postal code as typed, without the sign 〒 that Japan writes before it. `readPostalCode` brings it to the form of its
 * country.
 */
export const PostalCode = MachineText(16)
  .overwrite((code) => code.toUpperCase().replace(/^〒 ?/, ""))
  .check(readsAs(/^[A-Z0-9][A-Z0-9 -]{0,11}$/))
  .meta({ example: "560001" });
export type PostalCode = z.output<typeof PostalCode>;

/** The parts of an address that determine tax and shipping. `postal_code` is null where the country has none. */
export const Destination = z.object({ country: Country, postal_code: PostalCode.nullable() });
export type Destination = z.output<typeof Destination>;

interface PostalFormat {
  readonly isRequired: boolean;
  readonly pattern: RegExp;
  /** The pattern as the table has it; null for a country without one. */
  readonly written: string | null;
  /** The number of digits, if its codes have nothing else. */
  readonly digits: number | null;
  /** An example for each place that separators may have. */
  readonly examples: readonly string[];
  /** What people write before a code: the country's code or its first letter, as in `D-10115`, or a prefix of its own. */
  readonly prefixes: readonly string[];
}

/** For countries of which no pattern is known. */
const anyCode = "[A-Z0-9](?:[ -]?[A-Z0-9]){1,9}";

const formats = memoized((): ReadonlyMap<string, PostalFormat> => {
  const lines = postalFormats.matchAll(/^([A-Z]{2})([!?]) (.*?)(?: = (.+?))?(?: < (.+))?$/gm);
  return new Map(
    Array.from(lines, ([, country = "", use, pattern, examples, prefix]) => [
      country,
      {
        isRequired: use === "!",
        pattern: new RegExp(`^(?:${pattern || anyCode})$`),
        written: pattern || null,
        digits: digitsIn(pattern ?? ""),
        examples: examples?.split(",") ?? [],
        prefixes: [country, country.charAt(0), ...(prefix ? [prefix] : [])],
      },
    ]),
  );
});

const withoutCodes = memoized(() => new Set(withoutPostalCodes.split(" ")));
const unknownFormat: PostalFormat = {
  isRequired: false,
  pattern: new RegExp(`^${anyCode}$`),
  written: null,
  digits: null,
  examples: [],
  prefixes: [],
};

/** Whether the addresses of a country have a postal code, and its pattern, if one is known. */
export interface PostalRule {
  readonly postal_code: "required" | "optional" | "none";
  readonly pattern: string | null;
}

/** What `readPostalCode` asks of the addresses of a country. */
export function postalRuleOf(country: string): PostalRule {
  if (withoutCodes().has(country)) return { postal_code: "none", pattern: null };
  const format = formats().get(country);
  return {
    postal_code: format?.isRequired === true ? "required" : "optional",
    pattern: format?.written ?? null,
  };
}

/** The code of a destination in its country's form, or why it is none. */
export type PostalCodeReading =
  | { readonly postal_code: PostalCode | null; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * Reads a postal code as its country writes it: separators that the country's codes do not have are removed, and those
 * that they need are added. A country without postal codes has null, whatever is sent.
 */
export function readPostalCode({ country, postal_code: typed }: Destination): PostalCodeReading {
  if (withoutCodes().has(country)) return { postal_code: null };
  const format = formats().get(country) ?? unknownFormat;
  if (typed === null) {
    if (!format.isRequired) return { postal_code: null };
    return { problem: "The postal code field is required." };
  }
  const postal_code = spellings(typed, format).find((code) => format.pattern.test(code));
  if (postal_code !== undefined) return { postal_code };
  return { problem: `The postal code field must be a valid postal code${ofCountry(country)}.` };
}

/** The country by name, and the number of digits if its codes have nothing else; empty for an unknown country. */
function ofCountry(country: string): string {
  const format = formats().get(country);
  if (!format) return "";
  const of = ` of ${names().of(country)}`;
  return format.digits === null ? of : `${of}, with ${format.digits} digits`;
}

const names = memoized(() => new Intl.DisplayNames("en", { type: "region" }));

/** The number of digits in codes that have nothing else; null for other patterns. */
function digitsIn(pattern: string): number | null {
  const parts = pattern.match(/\\d(?:\{\d+\})?|\[\d-\d\]|\d/g) ?? [];
  if (parts.join("") !== pattern || parts.length === 0) return null;
  return parts.reduce((sum, part) => sum + Number(/\{(\d+)\}/.exec(part)?.[1] ?? 1), 0);
}

/** The ways to write a typed code, the typed one first. */
function spellings(typed: string, { examples, prefixes }: PostalFormat): string[] {
  const [, prefix, rest] = /^([A-Z]{1,3})[ -]+(.+)$/.exec(typed) ?? [];
  const isPrefix = prefixes.some((each) => compact(each) === prefix);
  return [typed, ...(rest !== undefined && isPrefix ? [rest] : [])].flatMap((code) => [
    code,
    compact(code),
    ...examples.flatMap((example) => separatedLike(example, compact(code))),
  ]);
}

/** The code with separators at the places where the example has them, if it is as long. */
function separatedLike(example: string, code: string): string[] {
  if (compact(example).length !== code.length) return [];
  const signs = code[Symbol.iterator]();
  return [example.replaceAll(/[^ -]/g, () => signs.next().value ?? "")];
}

/** Removes spaces and dashes: `560 001` becomes `560001`. */
function compact(postalCode: string): string {
  return postalCode.toUpperCase().replaceAll(/[ -]/g, "");
}

/** An area that a tax or shipping zone covers. */
interface Area {
  readonly country: string;
  /** Empty means the whole country. */
  readonly postal_prefixes: readonly string[];
}

/** The first zone that covers the destination, in the order set by staff. */
export function zoneOf<Zone extends Area>(
  zones: readonly Zone[],
  { country, postal_code }: Destination,
): Zone | undefined {
  const code = compact(postal_code ?? "");
  return zones.find(
    (zone) =>
      zone.country === country &&
      (zone.postal_prefixes.length === 0 ||
        zone.postal_prefixes.some((prefix) => code.startsWith(prefix))),
  );
}
