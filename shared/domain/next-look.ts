import type { StoredOrder } from "./order.ts";
import type { Timestamp } from "./text.ts";

/** How long a payment that nobody told us of may stay unknown. */
const reconcileMs = 5 * 60_000;

export const inMs = (now: Date, ms: number): Timestamp =>
  new Date(now.getTime() + ms).toISOString();

/** When an unpaid order has to be looked at next: at the latest when it lapses. Null: it does not lapse. */
export function nextLook(
  { status, payment_method, expires_at }: StoredOrder,
  now: Date,
): Timestamp | null {
  if (status !== "pending_payment" || expires_at === null) return null;
  if (payment_method !== "gateway") return expires_at;
  const soon = inMs(now, reconcileMs);
  return soon < expires_at ? soon : expires_at;
}
