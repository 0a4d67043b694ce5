import * as z from "zod";
import { Code, Sku, Slug } from "../base/names.ts";
import { Timestamp } from "../base/text.ts";

/** Whether a SKU may be sold beyond what there is. */
export const StockPolicy = z.enum(["deny", "backorder"]);
export type StockPolicy = z.output<typeof StockPolicy>;

/** What the units are of: where a SKU's price and name are read. */
export const StockOwner = z.object({
  kind: z.enum(["product", "swatch"]),
  id: z.string(),
  /** The product's slug or the material's code: the key of the published copy. */
  slug: z.union([Slug, Code]),
  variant_id: z.string().nullable(),
});
export type StockOwner = z.output<typeof StockOwner>;

/** One SKU. Always `available = on_hand − reserved`; below zero only where the policy is `backorder`. */
export const Stock = z.object({
  sku: Sku,
  owner: StockOwner,
  on_hand: z.int().min(0),
  reserved: z.int().min(0),
  available: z.int(),
  policy: StockPolicy,
  low_stock_threshold: z.int().min(0),
  version: z.int().min(1),
  updated_at: Timestamp,
});
export type Stock = z.output<typeof Stock>;

/** What can be bought of a row: now, later, or not at all. */
export function stockState(
  row: Pick<Stock, "available" | "policy" | "low_stock_threshold">,
): "in_stock" | "low_stock" | "backorder" | "out_of_stock" {
  if (row.available > 0) {
    return row.available <= row.low_stock_threshold ? "low_stock" : "in_stock";
  }
  return row.policy === "backorder" ? "backorder" : "out_of_stock";
}

/** What a conditional write does to a stock row: what it adds, and what must hold when it does. */
export interface StockChange {
  readonly add: { readonly on_hand: number; readonly reserved: number; readonly available: number };
  /** Members that must be at least this. */
  readonly atLeast: Partial<Record<"on_hand" | "reserved" | "available", number>>;
  /** A row of this policy is changed whatever `atLeast` says. */
  readonly waivedBy: StockPolicy | null;
}

/** Placing an order: the units are spoken for. */
export function reserve(quantity: number): StockChange {
  return {
    add: { on_hand: 0, reserved: quantity, available: -quantity },
    atLeast: { available: quantity },
    waivedBy: "backorder",
  };
}

/** Cancelling or expiry: the units are free again. */
export function release(quantity: number): StockChange {
  return {
    add: { on_hand: 0, reserved: -quantity, available: quantity },
    atLeast: { reserved: quantity },
    waivedBy: null,
  };
}

/** Dispatch: reserved units leave the house. */
export function dispatch(quantity: number): StockChange {
  return {
    add: { on_hand: -quantity, reserved: -quantity, available: 0 },
    atLeast: { on_hand: quantity, reserved: quantity },
    waivedBy: null,
  };
}

/** Units that came back and are for sale again. */
export function receive(quantity: number): StockChange {
  return {
    add: { on_hand: quantity, reserved: 0, available: quantity },
    atLeast: { on_hand: 0 },
    waivedBy: null,
  };
}

/** A refund: units that were never sent are free again, those that came back are for sale again. */
export function putBack({
  withdrawn,
  returned,
}: {
  withdrawn: number;
  returned: number;
}): StockChange {
  return {
    add: { on_hand: returned, reserved: -withdrawn, available: withdrawn + returned },
    atLeast: { on_hand: 0, reserved: withdrawn },
    waivedBy: null,
  };
}

/** Units that could not be handed over are in the house again, and still their buyer's. */
export function takeBack(quantity: number): StockChange {
  return {
    add: { on_hand: quantity, reserved: quantity, available: 0 },
    atLeast: { on_hand: 0 },
    waivedBy: null,
  };
}

/** Whether a row could be changed so at the moment it was read; the conditional write has the last word. */
export function canChange(stock: Stock, { atLeast, waivedBy }: StockChange): boolean {
  if (stock.policy === waivedBy) return true;
  return (["on_hand", "reserved", "available"] as const).every(
    (member) => stock[member] >= (atLeast[member] ?? -Infinity),
  );
}

/** Units of each SKU, summed over lines; what has no SKU is made to order and needs none. */
export function unitsBySku(
  lines: readonly { sku: string | null; quantity: number }[],
): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const { sku, quantity } of lines) {
    if (sku !== null) units.set(sku, (units.get(sku) ?? 0) + quantity);
  }
  return units;
}

/** Whether staff should think of ordering more. */
export const isLow = (row: Pick<Stock, "available" | "low_stock_threshold">): boolean =>
  row.available <= row.low_stock_threshold;

/** How a SKU is sold, as far as staff decide it with the thing it is of. */
export type SellingTerms = Pick<Stock, "policy" | "low_stock_threshold">;
export const usualTerms: SellingTerms = { policy: "deny", low_stock_threshold: 0 };

/** The row of a SKU that nothing has been received of yet. */
export function newStock(sku: string, owner: StockOwner, terms: SellingTerms, now: Date): Stock {
  return {
    sku,
    owner,
    on_hand: 0,
    reserved: 0,
    available: 0,
    ...terms,
    version: 1,
    updated_at: now.toISOString(),
  };
}

/** A count of the shelf, or what was added to it or taken from it. */
export type StockCount = { set: number } | { adjust: number };

/**
 * What lies on the shelf after a count. Null: orders have been promised more than that would leave. Adding is always
 * allowed, because a row that is sold on backorder may still owe more than it gets.
 */
export function countedStock(
  row: Pick<Stock, "on_hand" | "reserved">,
  count: StockCount,
): number | null {
  const onHand = "set" in count ? count.set : row.on_hand + count.adjust;
  const adds = "adjust" in count && count.adjust > 0;
  return onHand >= 0 && (adds || onHand >= row.reserved) ? onHand : null;
}
