import * as z from "zod";
import {
  type StoredCart,
  type StoredCartLine,
  cartExpiry,
  cartLimits,
  fitsStorage,
  lineKey,
} from "./cart.ts";
import type { LiveLine } from "./cart-lines.ts";

export const CartMerge = z.object({
  added: z.int().meta({ description: "Lines that the cart did not have" }),
  combined: z.int().meta({ description: "Lines that it had, whose quantities were added up" }),
  dropped: z.array(
    z.object({
      reason: z.enum(["unavailable", "quantity_limit", "cart_full"]).meta({
        description:
          "No longer sold, more pieces than one line holds, or more lines than a cart holds",
      }),
      name: z.string(),
      sku: z.string().nullable(),
      quantity: z.int().meta({ description: "Pieces that did not find room" }),
    }),
  ),
});
export type CartMerge = z.output<typeof CartMerge>;

/** A line of a guest's cart as it is stored and as it is now. */
export interface GuestLine {
  readonly stored: StoredCartLine;
  readonly live: LiveLine;
}

/**
 * Puts the lines of a guest's cart to those of a customer's, as far as they are still sold and there is room.
 * Lines that are the same become one, at the guest's price, which is the one seen last.
 */
export function mergeLines(
  own: readonly StoredCartLine[],
  guest: readonly GuestLine[],
): { lines: StoredCartLine[]; merge: CartMerge } {
  const lines = new Map(own.map((line) => [lineKey(line), line]));
  const merge: CartMerge = { added: 0, combined: 0, dropped: [] };

  for (const { stored, live } of guest) {
    const { name, sku } = live.line;
    const drop = (reason: CartMerge["dropped"][number]["reason"], quantity: number) =>
      merge.dropped.push({ reason, name, sku, quantity });
    const key = lineKey(stored);
    const before = lines.get(key);
    if (live.requirement?.code === "unavailable") {
      drop("unavailable", stored.quantity);
    } else if (before?.kind === "quoted" && stored.kind === "quoted") {
      // The same offer in both carts is one offer, by its later revision.
      lines.set(key, before.revision < stored.revision ? stored : before);
      merge.combined += 1;
    } else if (before) {
      const wanted = before.quantity + stored.quantity;
      const quantity = Math.min(wanted, cartLimits.quantity);
      lines.set(key, { ...stored, id: before.id, quantity });
      merge.combined += 1;
      if (wanted > quantity) drop("quantity_limit", wanted - quantity);
    } else if (lines.size < cartLimits.lines && fitsStorage([...lines.values(), stored])) {
      lines.set(key, stored);
      merge.added += 1;
    } else {
      drop("cart_full", stored.quantity);
    }
  }
  return { lines: [...lines.values()], merge };
}

/**
 * The customer's cart after a merge. Without a cart to go on with, the guest's goes on as the customer's.
 *
 * @param given.version of the record that it takes the place of; 0 where there was none
 */
export function mergedCart(
  own: StoredCart | undefined,
  guest: StoredCart,
  lines: StoredCartLine[],
  given: { customer: string; version: number; lifetimeDays: number; now: Date },
): StoredCart {
  const base = own ?? guest;
  return {
    ...base,
    customer_id: given.customer,
    lines,
    coupon_code: base.coupon_code ?? guest.coupon_code,
    version: given.version + 1,
    updated_at: given.now.toISOString(),
    expires_at: cartExpiry(given.now, given.lifetimeDays),
  };
}
