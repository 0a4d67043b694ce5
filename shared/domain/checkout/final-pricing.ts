import type { Requirement, RequirementCode } from "../cart/cart.ts";
import {
  type SaleReading,
  type Shortage,
  requirementsOf,
  sellable,
  shortages,
} from "../cart/cart-view.ts";
import type { ShippingMethod, ShippingQuote } from "../delivery/shipping.ts";
import { noCashDeposit, noTransfer, notConfigured } from "../payment/payment-window.ts";
import { tooSmallOnline } from "../pricing/payment-methods.ts";
import { type PaymentPlanCode, noDeposit } from "../pricing/payment-plans.ts";
import type { Pricing, Totals } from "../pricing/totals.ts";
import { AppError, invalidField } from "../request/app-error.ts";
import type { PaymentMethod, Settings } from "../settings/settings.ts";

/** A pricing whose delivery method serves the destination, so that its totals are final. */
export interface FinalPricing extends Pricing {
  readonly method: ShippingMethod;
  readonly quote: ShippingQuote & { zone: NonNullable<ShippingQuote["zone"]> };
  readonly totals: Totals & { shipping: number; provisional: false };
}

/** Whether an order can be placed with this pricing. */
export function isFinal(pricing: Pricing): pricing is FinalPricing {
  const { method, quote, totals } = pricing;
  return method !== null && quote?.zone != null && totals.shipping !== null && !totals.provisional;
}

/** What a request says about its order. */
export interface OrderTerms {
  readonly payment_method: PaymentMethod;
  readonly payment_plan: PaymentPlanCode;
  /** The request's coupon; undefined if it has none. */
  readonly coupon?: string | undefined;
  /** Default: any total, if no price has changed since it was shown. */
  readonly expected_total?: number | undefined;
}

/**
 * Checks that a draft can become an order.
 *
 * @returns the pricing to charge
 * @throws AppError with a message that tells the buyer what to change
 */
export function finalPricing(
  reading: SaleReading,
  request: OrderTerms,
  shop: {
    readonly settings: Settings;
    readonly gatewayReady: boolean;
    /** Whether staff place the order. They may sell anything for cash, and send the method as `payment.method`. */
    readonly byStaff?: boolean;
  },
): FinalPricing {
  const requirements = requirementsOf(reading);
  const [first] = requirements;
  const refusal = first && refusals[first.code](first, { requirements, reading, request });
  if (refusal && !afterPayment.has(first.code)) throw refusal;
  const { pricing } = reading;
  if (!isFinal(pricing)) throw new TypeError("A deliverable cart has no shipping price");
  refusePayment(pricing, request, shop);
  if (refusal) throw refusal;
  refuseChangedPrice(reading, request);
  return pricing;
}

interface Blocked {
  /** All that the cart reports. */
  readonly requirements: readonly Requirement[];
  readonly reading: SaleReading;
  readonly request: OrderTerms;
}

type Refusal = (first: Requirement, blocked: Blocked) => AppError;

const lineChanged: Refusal = (_line, { requirements }) => cartChanged(requirements);

const undeliverable: Refusal = ({ message, allowed }) => {
  if (!allowed) return invalidField("shipping_address.postal_code", message);
  const errors = { shipping_method: [message] };
  return new AppError("validation_failed", { message, errors, details: { allowed } });
};

/** The error with which checkout refuses each requirement that a cart reports first. */
const refusals: Readonly<Record<RequirementCode, Refusal>> = {
  unavailable: lineChanged,
  configuration_invalid: lineChanged,
  quote_expired: lineChanged,
  insufficient_stock: (_line, { reading: { lines, stock } }) =>
    insufficientStock(shortages(sellable(lines), stock)),
  coupon_invalid: (coupon, blocked) =>
    coupon.item_id === null
      ? couponRefused(blocked.request, coupon.message)
      : lineChanged(coupon, blocked),
  area_not_served: undeliverable,
  too_large: undeliverable,
  shipping_method_unavailable: undeliverable,
  slot_required: (slot) => cartChanged([slot]),
  slot_expired: ({ message }) => new AppError("slot_expired", { message }),
  slot_taken: ({ message }) => new AppError("slot_taken", { message }),
};

/** Requirements that are refused only once the payment is possible. */
const afterPayment: ReadonlySet<RequirementCode> = new Set([
  "slot_required",
  "slot_expired",
  "slot_taken",
]);

/** The 409 error that names the cart lines with insufficient stock. */
export function insufficientStock(short: readonly Shortage[]): AppError {
  return new AppError("insufficient_stock", {
    ...(short[0] && { message: short[0].message }),
    details: {
      lines: short.map(({ line: { id, sku, name, quantity }, available }) => ({
        id,
        sku,
        name,
        quantity,
        available,
      })),
    },
  });
}

/**
 * The error for a refused coupon: `validation_failed` if the request contains the coupon, `cart_changed` if it was
 * already on the cart.
 */
export function couponRefused(request: Pick<OrderTerms, "coupon">, message: string): AppError {
  return request.coupon === undefined
    ? cartChanged([{ code: "coupon_invalid", message, item_id: null }])
    : invalidField("coupon", message);
}

function cartChanged(requirements: readonly Requirement[]): AppError {
  const message = requirements[0]?.message;
  return new AppError("cart_changed", { ...(message && { message }), details: { requirements } });
}

function refusePayment(
  { cod, deposit, totals, quote }: FinalPricing,
  { payment_method, payment_plan }: OrderTerms,
  { settings: { payments }, gatewayReady, byStaff = false }: Parameters<typeof finalPricing>[2],
): void {
  const refused = (message: string) =>
    invalidField(byStaff ? "payment.method" : "payment_method", message);
  if (payment_plan === "deposit") {
    if (deposit === null) throw invalidField("payment_plan", noDeposit);
    if (payment_method === "cod") throw refused(noCashDeposit);
  }
  switch (payment_method) {
    case "gateway": {
      if (!gatewayReady) throw refused(notConfigured);
      const first = (payment_plan === "deposit" ? deposit : null) ?? totals.grand_total;
      const tooSmall = first > 0 ? tooSmallOnline(first, quote.currency) : null;
      if (tooSmall !== null) throw refused(tooSmall);
      return;
    }
    case "bank_transfer":
      if (payments.bank_transfer.enabled) return;
      throw refused(noTransfer);
    case "cod":
      if (cod?.available === false && !byStaff) throw refused(cod.message);
  }
}

/**
 * Throws if the total differs from the `expected_total` of the request. If the request contains none, throws if a price
 * has changed since the cart's last write.
 */
function refuseChangedPrice({ lines, pricing }: SaleReading, { expected_total }: OrderTerms): void {
  const changed = lines
    .map(({ line }) => line)
    .filter(({ last_price, unit_price }) => last_price !== unit_price);
  const accepted =
    expected_total === undefined
      ? changed.length === 0
      : expected_total === pricing.totals.grand_total;
  if (accepted) return;
  const { grand_total } = pricing.totals;
  throw new AppError("price_changed", {
    ...(expected_total !== undefined &&
      changed.length === 0 && {
        message: `The total is ${grand_total}, not ${expected_total} as expected_total says, both in the currency's smallest unit.`,
      }),
    details: {
      totals: pricing.totals,
      lines: changed.map(({ id, name, last_price: from, unit_price: to }) => ({
        id,
        name,
        from,
        to,
      })),
    },
  });
}
