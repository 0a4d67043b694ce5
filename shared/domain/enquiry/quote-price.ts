import { completedLine } from "../cart/quoted-line.ts";
import type { Problem } from "../base/names.ts";
import { noDeposit } from "../pricing/payment-plans.ts";
import type { Settings } from "../settings/settings.ts";
import { type Pricing, priceCart } from "../pricing/totals.ts";
import { quotedLine } from "./quote-item.ts";
import type { StoredQuote } from "./quote.ts";

/** The settings by which quotes and carts are priced. */
export type PriceSettings = Pick<Settings, "store" | "payments" | "shipping" | "tax">;

/** The members of a quote that its price depends on. */
type PricedQuote = Pick<
  StoredQuote,
  "items" | "free_shipping" | "shipping_address" | "shipping_method" | "updated_at"
>;

/** Why a quote cannot be ordered with the delivery and the payment plan that it says. */
export function offerProblems(
  quote: PricedQuote & Pick<StoredQuote, "payment_plan">,
  settings: PriceSettings,
): Problem[] {
  const { delivery_problem, deposit } = priceQuote(quote, settings) ?? {};
  const isPossible = quote.payment_plan !== "deposit" || deposit !== null;
  return [
    ...(delivery_problem
      ? [
          {
            path: delivery_problem.allowed ? "shipping_method" : "shipping_address",
            ...delivery_problem,
          },
        ]
      : []),
    ...(isPossible ? [] : [{ path: "payment_plan", message: noDeposit }]),
  ];
}

/** The price of a quote by the rules of checkout; null while a line has no price. */
export function priceQuote(
  { items, free_shipping, shipping_address, shipping_method, updated_at }: PricedQuote,
  settings: PriceSettings,
): Pricing | null {
  if (items.some(({ unit_price }) => unit_price === null)) return null;
  const now = new Date(updated_at);
  const lines = items.map((item) => completedLine(quotedLine(item), new Map()));
  const delivery = { destination: shipping_address, method: shipping_method };
  return priceCart({ lines, coupon: null, free_shipping, settings, ...delivery, now });
}
