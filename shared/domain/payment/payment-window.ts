import type { StoredOrder } from "../order/order.ts";
import { mayPayBalance } from "./owing.ts";
import type { PaymentMethod, PaymentSettings } from "../settings/settings.ts";
import type { Timestamp } from "../base/text.ts";

/** Why a buyer cannot pay online, or by bank transfer. */
export const notConfigured =
  "Online payment is not configured. Please choose another payment method.";
export const noTransfer = "Bank transfer is currently not available.";

export const noCashDeposit =
  "A deposit cannot be paid in cash. Please choose another payment method.";

/** The inputs of an order's payment window. */
export interface PaymentTerms {
  readonly payments: PaymentSettings;
  /** For bank transfers, guests' orders have a payment window of their own. */
  readonly isGuest: boolean;
}

/** How long an order waits for a payment by this method, in ms; null if the method is not paid in advance. */
function windowOf(
  method: PaymentMethod,
  { payments: { gateway, bank_transfer }, isGuest }: PaymentTerms,
): number | null {
  switch (method) {
    case "gateway":
      return gateway.expires_after_minutes * 60_000;
    case "bank_transfer":
      return (
        (isGuest ? bank_transfer.guest_expires_after_hours : bank_transfer.expires_after_hours) *
        3_600_000
      );
    case "cod":
      return null;
  }
}

/** The expiry of an order whose payment window for this method begins at `from`; null if the order does not expire. */
export function expiryFor(
  method: PaymentMethod,
  terms: PaymentTerms,
  from: Date,
): Timestamp | null {
  const ms = windowOf(method, terms);
  return ms === null ? null : new Date(from.getTime() + ms).toISOString();
}

/** The expiry of an order that staff place now, by whichever method it is to be paid. */
export const staffExpiry = (
  { staff_expires_after_hours }: Pick<PaymentSettings, "staff_expires_after_hours">,
  now: Date,
): Timestamp => new Date(now.getTime() + staff_expires_after_hours * 3_600_000).toISOString();

/** What the payment window of an order depends on. */
type UnpaidOrder = Pick<StoredOrder, "status" | "customer" | "placed_at" | "expires_at">;

/**
 * The latest time until which an order may hold stock unpaid, however often its buyer changes the payment method: the
 * longest payment window of any offered method since the order was placed, but not before its present expiry. Null if
 * the order does not expire.
 */
export function latestExpiry(
  { customer, placed_at, expires_at }: UnpaidOrder,
  payments: PaymentSettings,
): Timestamp | null {
  if (expires_at === null) return null;
  const terms = { payments, isGuest: customer.id === null };
  const windows = (["gateway", "bank_transfer"] as const).flatMap((method) =>
    payments[method].enabled ? (windowOf(method, terms) ?? []) : [],
  );
  const latest = Math.max(Date.parse(placed_at) + Math.max(0, ...windows), Date.parse(expires_at));
  return new Date(latest).toISOString();
}

/** Whether the buyer can still pay the order or its balance, if necessary by another method. */
export function awaitsPayment(order: StoredOrder, payments: PaymentSettings, now: Date): boolean {
  if (order.status !== "pending_payment") return mayPayBalance(order);
  const latest = latestExpiry(order, payments);
  return latest === null || Date.parse(latest) > now.getTime();
}
