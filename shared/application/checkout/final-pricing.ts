import type { Shop } from "#shared/application/shop.ts";
import {
  type WantedDelivery,
  earliestDay,
  slotZoneFor,
} from "#shared/domain/delivery/slot-zone.ts";
import { slotRefused } from "../delivery/free-slots.ts";
import type { CheckoutInput } from "#shared/domain/checkout/checkout.ts";
import type { Requirement } from "#shared/domain/cart/cart.ts";
import {
  type CartReading,
  type Shortage,
  requirementsOf,
  sellable,
  shortages,
  slotRequirement,
} from "#shared/domain/cart/cart-view.ts";
import { tooSmallOnline } from "#shared/domain/pricing/online-payment.ts";
import { noCashDeposit, noTransfer, notConfigured } from "#shared/domain/payment/payment-window.ts";
import { type FinalPricing, isFinal } from "#shared/domain/checkout/order-from-cart.ts";
import { type PaymentPlanCode, noDeposit } from "#shared/domain/pricing/payment-plans.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";

type Request = Pick<
  CheckoutInput,
  "payment_method" | "coupon" | "expected_total" | "shipping_method"
> & { readonly payment_plan: PaymentPlanCode };

/**
 * Checks that a cart can become an order.
 *
 * @returns the pricing to charge
 * @throws AppError with a message that tells the buyer what to change
 */
export function finalPricing(
  reading: CartReading,
  request: Request,
  shop: {
    readonly settings: Settings;
    readonly gatewayReady: boolean;
    /** Whether staff place the order. They may sell anything for cash. */
    readonly byStaff?: boolean;
  },
): FinalPricing {
  refuseUnbuyable(reading);
  refuseCoupon(reading, request);
  const pricing = refuseDelivery(reading);
  refusePayment(pricing, request, shop);
  refuseSlot(reading);
  refuseChangedPrice(reading, request);
  return pricing;
}

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
export function couponRefused(request: Pick<Request, "coupon">, message: string): AppError {
  return request.coupon === undefined
    ? cartChanged([{ code: "coupon_invalid", message, item_id: null }])
    : invalidField("coupon", message);
}

function cartChanged(requirements: readonly Requirement[]): AppError {
  const message = requirements[0]?.message;
  return new AppError("cart_changed", { ...(message && { message }), details: { requirements } });
}

function refuseUnbuyable(reading: CartReading): void {
  const { lines, stock } = reading;
  if (lines.some(({ requirement }) => requirement)) throw cartChanged(requirementsOf(reading));
  const short = shortages(sellable(lines), stock);
  if (short.length > 0) throw insufficientStock(short);
}

function refuseCoupon({ pricing: { coupon } }: CartReading, request: Request): void {
  if (coupon?.valid === false) throw couponRefused(request, coupon.message);
}

function refuseDelivery({ pricing }: CartReading): FinalPricing {
  if (isFinal(pricing)) return pricing;
  const problem = pricing.delivery_problem;
  if (!problem) throw new TypeError("A deliverable cart has no shipping price");
  const { message, allowed } = problem;
  if (!allowed) throw invalidField("shipping_address.postal_code", message);
  const errors = { shipping_method: [message] };
  throw new AppError("validation_failed", { message, errors, details: { allowed } });
}

function refuseSlot({ slot }: CartReading): void {
  const problem = slotRequirement(slot);
  if (!problem) return;
  if (slot.kind === "required") throw cartChanged([problem]);
  const { message } = problem;
  throw new AppError(slot.kind === "expired" ? "slot_expired" : "slot_taken", { message });
}

function refusePayment(
  { cod, deposit, totals, quote }: FinalPricing,
  { payment_method, payment_plan }: Request,
  { settings: { payments }, gatewayReady, byStaff = false }: Parameters<typeof finalPricing>[2],
): void {
  if (payment_plan === "deposit") {
    if (deposit === null) throw invalidField("payment_plan", noDeposit);
    if (payment_method === "cod") throw invalidField("payment_method", noCashDeposit);
  }
  switch (payment_method) {
    case "gateway": {
      if (!gatewayReady) throw invalidField("payment_method", notConfigured);
      const first = (payment_plan === "deposit" ? deposit : null) ?? totals.grand_total;
      const tooSmall = first > 0 ? tooSmallOnline(first, quote.currency) : null;
      if (tooSmall !== null) throw invalidField("payment_method", tooSmall);
      return;
    }
    case "bank_transfer":
      if (payments.bank_transfer.enabled) return;
      throw invalidField("payment_method", noTransfer);
    case "cod":
      if (cod?.available === false && !byStaff) throw invalidField("payment_method", cod.message);
  }
}

/**
 * Throws if the total differs from the `expected_total` of the request. If the request contains none, throws if a price
 * has changed since the cart's last write.
 */
function refuseChangedPrice({ lines, pricing }: CartReading, { expected_total }: Request): void {
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

const ofSlots: ReadonlySet<string> = new Set(["slot_expired", "slot_taken"]);

/** Runs a part of a checkout. If it refuses the cart's slot, the error offers the next free ones. */
export async function offeringSlots<Result>(
  { slot: reading, lines }: CartReading,
  delivery: WantedDelivery,
  { table }: Shop<"table">,
  part: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof AppError) || !("slot" in reading) || !ofSlots.has(error.code))
      throw error;
    const { settings, now } = delivery;
    const items = lines.map(({ line }) => line);
    const zone = slotZoneFor(delivery);
    const earliest = zone && earliestDay(items, zone, settings, now);
    const choice =
      zone && earliest !== null
        ? { zone, earliest, settings, holder: reading.hold.holder, now }
        : null;
    throw await slotRefused(error, reading.slot, table, choice);
  }
}
