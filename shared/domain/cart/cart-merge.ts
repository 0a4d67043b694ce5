import * as z from "zod";
import {
  type StoredCart,
  type StoredCartLine,
  cartExpiry,
  fitsStorage,
  isRemovedWith,
  lineKey,
} from "./cart.ts";
import { cartLimits } from "./cart-limits.ts";
import type { ResolvedLine } from "./bare-line.ts";
import { isLive } from "../delivery/slot-hold.ts";

export const CartMerge = z.object({
  added: z.int().meta({ description: "Lines that were new to the cart" }),
  combined: z.int().meta({ description: "Lines that both carts had, with their quantities added" }),
  dropped: z.array(
    z.object({
      reason: z.enum(["unavailable", "quantity_limit", "cart_full"]).meta({
        description:
          "`unavailable`: the item is no longer sold. `quantity_limit`: the line has the maximum " +
          "of units. `cart_full`: the cart has the maximum of lines",
      }),
      name: z.string(),
      sku: z.string().nullable(),
      quantity: z.int().meta({ description: "Units that were not added to the cart" }),
    }),
  ),
});
export type CartMerge = z.output<typeof CartMerge>;

/** A line of a guest's cart, as stored and as completed with the current catalog data. */
export interface GuestLine {
  readonly stored: StoredCartLine;
  readonly published: ResolvedLine;
}

/**
 * Merges a guest's cart into a customer's. Lines that are no longer sold and units beyond the cart's limits are
 * dropped. Equal lines are combined at the guest's price, because the customer saw it last. A quote's lines are merged
 * together or not at all.
 */
export function mergeLines(
  own: readonly StoredCartLine[],
  guest: readonly GuestLine[],
): { lines: StoredCartLine[]; merge: CartMerge } {
  let lines = new Map(own.map((line) => [lineKey(line), line]));
  const merge: CartMerge = { added: 0, combined: 0, dropped: [] };

  const drop = (
    { published }: GuestLine,
    reason: CartMerge["dropped"][number]["reason"],
    quantity: number,
  ) => merge.dropped.push({ reason, name: published.line.name, sku: published.line.sku, quantity });
  const offers = guest.filter(({ stored }) => stored.kind === "quoted");

  for (const first of distinctOffers(offers)) {
    const offer = offers.filter(({ stored }) => isRemovedWith(first, stored));
    const rivals = [...lines.values()].filter((line) => isOfQuote(line, first.quote_id));
    const known = rivals.some((line) => line.kind === "quoted" && line.revision >= first.revision);
    const others = [...lines.values()].filter((line) => !rivals.includes(line));
    const joined = [...others, ...offer.map(({ stored }) => stored)];
    if (known) {
      // The same quote in both carts counts once, with its later revision.
      merge.combined += offer.length;
    } else if (joined.length <= cartLimits.lines && fitsStorage(joined)) {
      lines = new Map(joined.map((line) => [lineKey(line), line]));
      if (rivals.length > 0) merge.combined += offer.length;
      else merge.added += offer.length;
    } else {
      for (const each of offer) drop(each, "cart_full", each.stored.quantity);
    }
  }

  for (const each of guest) {
    const { stored, published } = each;
    if (stored.kind === "quoted") continue;
    const key = lineKey(stored);
    const before = lines.get(key);
    if (published.requirement?.code === "unavailable") {
      drop(each, "unavailable", stored.quantity);
    } else if (before) {
      const total = before.quantity + stored.quantity;
      const quantity = Math.min(total, cartLimits.quantity);
      lines.set(key, { ...stored, id: before.id, quantity });
      merge.combined += 1;
      if (total > quantity) drop(each, "quantity_limit", total - quantity);
    } else if (lines.size < cartLimits.lines && fitsStorage([...lines.values(), stored])) {
      lines.set(key, stored);
      merge.added += 1;
    } else {
      drop(each, "cart_full", stored.quantity);
    }
  }
  return { lines: [...lines.values()], merge };
}

type QuotedLine = Extract<StoredCartLine, { kind: "quoted" }>;

const isOfQuote = (line: StoredCartLine, quoteId: string): boolean =>
  line.kind === "quoted" && line.quote_id === quoteId;

/** One line of each quote. */
function distinctOffers(offers: readonly GuestLine[]): QuotedLine[] {
  const firsts: QuotedLine[] = [];
  for (const { stored } of offers) {
    if (stored.kind !== "quoted" || firsts.some((line) => isRemovedWith(line, stored))) continue;
    firsts.push(stored);
  }
  return firsts;
}

/**
 * The customer's cart after a merge. If the customer has no active cart, the guest's cart becomes the customer's. It
 * keeps the delivery slot that the guest's cart holds, because the customer chose it last, or else its own.
 *
 * @param options.version the version of the cart that the merged cart replaces; 0 if there was none
 */
export function mergedCart(
  own: StoredCart | undefined,
  guest: StoredCart,
  lines: StoredCartLine[],
  options: { customer: string; version: number; lifetimeDays: number; now: Date },
): StoredCart {
  const base = own ?? guest;
  const hold =
    guest.slot_hold && isLive(guest.slot_hold, options.now)
      ? guest.slot_hold
      : (base.slot_hold ?? guest.slot_hold);
  return {
    ...base,
    customer_id: options.customer,
    lines,
    coupon_code: base.coupon_code ?? guest.coupon_code,
    // A cart without lines holds no place.
    slot_hold: hold && lines.length === 0 ? { ...hold, slot: null } : hold,
    version: options.version + 1,
    updated_at: options.now.toISOString(),
    expires_at: cartExpiry(options.now, options.lifetimeDays),
  };
}
