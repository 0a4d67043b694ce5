import * as z from "zod";
import type { StoredCart } from "../cart/cart.ts";
import { Timestamp } from "../base/text.ts";

/** The last cart of which a customer was reminded. It prevents a second reminder of the same cart. */
export const CartReminder = z.object({ cart_id: z.string(), at: Timestamp });
export type CartReminder = z.output<typeof CartReminder>;

type CartState = Pick<StoredCart, "id" | "status" | "lines" | "updated_at" | "expires_at">;

/** Timers are set in steps of this length, so that many changes of a cart set few timers. */
const stepMs = 15 * 60_000;

/** When to check a cart that was changed at `at`: after `hours`, rounded up to the next step. */
export function reminderCheckAt(at: Timestamp, hours: number): Timestamp {
  const due = Date.parse(at) + hours * 3_600_000;
  return new Date(Math.ceil(due / stepMs) * stepMs).toISOString();
}

/**
 * Whether to remind the customer of the cart: it has lines, was not changed for `hours`, and the customer was not
 * reminded of it before.
 */
export function isAbandonedCart(
  cart: CartState,
  reminded: CartReminder | undefined,
  { hours, now }: { hours: number; now: Date },
): boolean {
  return (
    hours > 0 &&
    cart.status === "active" &&
    cart.lines.length > 0 &&
    reminded?.cart_id !== cart.id &&
    Date.parse(cart.expires_at) > now.getTime() &&
    Date.parse(cart.updated_at) + hours * 3_600_000 <= now.getTime()
  );
}
