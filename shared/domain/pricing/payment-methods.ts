import type { Settings } from "../settings/settings.ts";
import { writtenAmount } from "../base/money.ts";

type CodReason = "disabled" | "area" | "amount" | "product" | "made_to_order";

type LineReason = Extract<CodReason, "product" | "made_to_order">;

const sentences: Readonly<Record<Exclude<CodReason, LineReason>, string>> = {
  disabled: "Cash on delivery is currently not available.",
  area: "Cash on delivery is not offered at this address.",
  amount: "This order is above the limit for cash on delivery.",
};

const lineSentences: Readonly<Record<LineReason, (name: string) => string>> = {
  product: (name) => `${name} cannot be paid on delivery.`,
  made_to_order: (name) => `${name} is made to order and cannot be paid on delivery.`,
};

export type CodVerdict =
  | { readonly available: true; readonly max_amount: number }
  | {
      readonly available: false;
      /** The maximum total for cash on delivery if the order exceeds it; null for any other reason. */
      readonly max_amount: number | null;
      readonly reason: CodReason;
      readonly message: string;
    };

/** Whether an order may be paid by cash on delivery. */
export function judgeCod(order: {
  readonly settings: Settings["payments"]["cod"];
  readonly servedInZone: boolean;
  readonly grandTotal: number;
  readonly lines: readonly { name: string; cod_eligible: boolean; made_to_order: boolean }[];
}): CodVerdict {
  const { settings, servedInZone, grandTotal, lines } = order;
  const refuse = (reason: keyof typeof sentences, max_amount: number | null): CodVerdict => ({
    available: false,
    max_amount,
    reason,
    message: sentences[reason],
  });
  const refuseLine = (reason: LineReason, { name }: { name: string }): CodVerdict => ({
    available: false,
    max_amount: null,
    reason,
    message: lineSentences[reason](name),
  });
  if (!settings.enabled) return refuse("disabled", null);
  if (!servedInZone) return refuse("area", null);
  const excluded = lines.find(({ cod_eligible }) => !cod_eligible);
  if (excluded) return refuseLine("product", excluded);
  const made = lines.find(({ made_to_order }) => made_to_order);
  if (made && !settings.made_to_order_allowed) return refuseLine("made_to_order", made);
  if (grandTotal > settings.max_amount) return refuse("amount", settings.max_amount);
  return { available: true, max_amount: settings.max_amount };
}

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
