import * as z from "zod";
import { memoized } from "./memoize.ts";
import { LimitedString } from "./text.ts";

/**
 * The currencies of ISO 4217 that are in circulation, by the number of digits after the decimal point. The ariary (MGA)
 * has no decimals here, as at payment gateways. ISO gives it two, but its subunit, a fifth of an ariary, is out of use.
 */
const circulating = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF " +
    "CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD " +
    "HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL " +
    "MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN " +
    "QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP " +
    "TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
};

const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(circulating).flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, Number(digits)] as const),
  ),
);

export const currencies: ReadonlySet<string> = new Set(digitsOf.keys());

/** The number of decimals of a currency; 2 for an unknown code. */
export const fractionDigits = (currency: string): number => digitsOf.get(currency) ?? 2;

/** Minor units as a decimal string: 459900 INR is `4599.00`. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  if (digits === 0) return String(amount);
  const text = String(amount).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * An amount in minor units of the record's currency, such as paise or cents. The maximum keeps the sum of a full cart
 * (50 lines of 99 units) a safe integer.
 */
export const Money = z
  .int()
  .min(0)
  .max(1_000_000_000_000)
  .meta({ description: "Amount in minor units of the currency", example: 4599000 });
export type Money = z.output<typeof Money>;

/** A sum of amounts, such as a cart's total; it may exceed the maximum of a single amount. */
export const MoneySum = z
  .int()
  .min(0)
  .meta({ description: "Sum of amounts, in minor units of the currency", example: 9198000 });
export type MoneySum = z.output<typeof MoneySum>;

/** A rate or share in basis points: 1800 is 18 %. */
export const BasisPoints = z
  .int()
  .min(0)
  .max(100_000)
  .meta({ description: "Basis points; 1800 is 18 %" });
export type BasisPoints = z.output<typeof BasisPoints>;

/** The whole of something in basis points. */
export const wholeBps = 10_000;

export const Currency = LimitedString(3)
  .regex(/^[A-Z]{3}$/)
  .meta({ description: "ISO 4217 code", example: "INR" });
export type Currency = z.output<typeof Currency>;

/**
 * The integer nearest to `numerator / denominator`; ties go to the even integer, so that many roundings do not drift
 * upwards. Exact for all safe integers; pass a bigint if a product may exceed 2^53. The denominator must be positive.
 */
export function roundHalfEven(numerator: bigint | number, denominator: bigint | number): number {
  const n = BigInt(numerator);
  const d = BigInt(denominator);
  const floor = n / d - (n % d < 0n ? 1n : 0n);
  const twice = 2n * (n - floor * d);
  const up = twice > d || (twice === d && floor % 2n !== 0n);
  return Number(up ? floor + 1n : floor);
}

const amountsIn = memoized((locale: string, currency: string) => {
  // Intl's default is the number of decimals in daily use: none for HUF, whose amounts are stored in hundredths.
  const digits = fractionDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return { format, units: 10 ** digits };
});

/** An amount in a shop's format: `₹45,990.00`. */
export function writtenAmount(amount: number, currency: string, locale: string): string {
  const { format, units } = amountsIn(locale, currency);
  return format.format(amount / units);
}

/** `bps` basis points of an amount, rounded half to even. */
export function shareOf(amount: number, bps: number): number {
  return roundHalfEven(BigInt(amount) * BigInt(bps), 10_000);
}

/**
 * Splits a total in proportion to weights into integers that add up exactly. The units lost by rounding down go to the
 * largest remainders, one each; of equal remainders, the earlier ones come first. Each part is at most its share
 * rounded up. So each part is at most its weight if the total is at most the sum of the weights.
 *
 * @throws RangeError when there is something to split and all weights are 0
 */
export function splitByLargestRemainder(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) {
    if (total !== 0) throw new RangeError("Cannot split by weights that sum to zero");
    return weights.map(() => 0);
  }
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = exact.map((product) => Number(product / sum));
  let left = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((product, index) => ({ index, remainder: product % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder) {
    if (left === 0) break;
    parts[index]! += 1;
    left -= 1;
  }
  return parts;
}
