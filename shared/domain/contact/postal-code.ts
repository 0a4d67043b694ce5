import * as z from "zod";
import { memoized } from "../base/memoize.ts";
import { MachineText, readsAs } from "../base/machine-text.ts";

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

/** A postal code as typed; `postalCodeMatches` checks it against its country. */
export const PostalCode = MachineText(12)
  .toUpperCase()
  .check(readsAs(/^[A-Z0-9][A-Z0-9 -]*$/))
  .meta({ example: "560001" });
export type PostalCode = z.output<typeof PostalCode>;

/** The parts of an address that determine tax and shipping. */
export const Destination = z.object({ country: Country, postal_code: PostalCode });
export type Destination = z.output<typeof Destination>;

/**
 * The formats of postal codes by country, without spaces and dashes. For other countries, any code of a plausible
 * length is accepted.
 */
const formats: Readonly<Record<string, RegExp>> = {
  AE: /^\d{5,6}$/,
  AU: /^\d{4}$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[A-Z]\d[A-Z]\d$/,
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
  IN: /^[1-9]\d{5}$/,
  LK: /^\d{5}$/,
  NL: /^[1-9]\d{3}[A-Z]{2}$/,
  SG: /^\d{6}$/,
  US: /^\d{5}(?:\d{4})?$/,
};
const lenient = /^[A-Z0-9]{2,10}$/;

/** Removes spaces and dashes: `560 001` becomes `560001`. */
function compact(postalCode: string): string {
  return postalCode.toUpperCase().replaceAll(/[ -]/g, "");
}

/** Whether the code has its country's format. */
export function postalCodeMatches({ country, postal_code }: Destination): boolean {
  return (formats[country] ?? lenient).test(compact(postal_code));
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
  const code = compact(postal_code);
  return zones.find(
    (zone) =>
      zone.country === country &&
      (zone.postal_prefixes.length === 0 ||
        zone.postal_prefixes.some((prefix) => code.startsWith(prefix))),
  );
}
