import { writtenAmount } from "../base/money.ts";

/**
 * The smallest charges in minor units, by currency. For others, the gateway converts its minimum.
 *
 * @see https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const minimums: Readonly<Record<string, number>> = {
  AED: 200,
  ARS: 50,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  COP: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  IDR: 50,
  ILS: 50,
  INR: 50,
  JPY: 50,
  KRW: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PHP: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
  ZAR: 50,
};

/** The smallest amount that can be charged online, in minor units; 0 if none is known. */
export const minimumCharge = (currency: string): number => minimums[currency] ?? 0;

/** Why an amount is too small to be paid online, as a message for the buyer; null if it is not. */
export function tooSmallOnline(amount: number, currency: string): string | null {
  const least = minimumCharge(currency);
  return amount < least
    ? `Online payment needs at least ${writtenAmount(least, currency, "en")}. Please choose another payment method.`
    : null;
}
