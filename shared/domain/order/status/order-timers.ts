import type { StoredOrder } from "../order.ts";
import type { Timestamp } from "../../base/text.ts";

/** How long after a check an unpaid order is checked at the gateway again, in case a webhook is missing. */
const reconcileMs = 5 * 60_000;

export const inMs = (now: Date, ms: number): Timestamp =>
  new Date(now.getTime() + ms).toISOString();

/** How soon the gateway is asked again about a payment that keeps its order from expiring. */
export const waitingAt = (now: Date): Timestamp => inMs(now, 60 * 60_000);

/** When an open payment is checked at the gateway again. */
export const reconcileAt = (now: Date): Timestamp => inMs(now, reconcileMs);

/**
 * The next scheduled check of an unpaid order, at the latest when it loses its slot or expires; null if it does neither.
 */
export function nextCheckAt(
  { status, payment_method, expires_at, slot }: StoredOrder,
  now: Date,
): Timestamp | null {
  if (status !== "pending_payment") return null;
  // A partial payment has stopped the expiry, but the slot still waits for the confirmation.
  if (expires_at === null) return slot?.confirm_by ?? null;
  const ends = slot && slot.confirm_by < expires_at ? slot.confirm_by : expires_at;
  if (payment_method !== "gateway") return ends;
  const soon = reconcileAt(now);
  return soon < ends ? soon : ends;
}
