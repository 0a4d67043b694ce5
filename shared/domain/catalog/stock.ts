import * as z from "zod";
import { Code, Slug } from "../base/names.ts";
import { Timestamp } from "../base/text.ts";

/** The members of a line that name its stock. */
interface StockedLine {
  readonly sku: string | null;
  readonly variant_id: string | null;
  readonly material_code: string | null;
}

/** The id of a line's stock; null for a line without a SKU, which is made to order and needs no stock. */
export const stockIdOf = ({ sku, variant_id, material_code }: StockedLine): string | null =>
  sku === null ? null : (variant_id ?? material_code);

/** Whether an item may be sold beyond its stock. */
export const StockPolicy = z.enum(["deny", "backorder"]);
export type StockPolicy = z.output<typeof StockPolicy>;

/** The product or material that stock belongs to. It has the price and the SKU. */
export const StockOwner = z.object({
  kind: z.enum(["product", "swatch"]),
  id: z.string(),
  /** The product's slug or the material's code: the key of the published copy. */
  slug: z.union([Slug, Code]),
});
export type StockOwner = z.output<typeof StockOwner>;

/**
 * The stock of a variant, or of a material's sample. Always `available = on_hand − reserved`; `available` is negative only if the policy is
 * `backorder`.
 */
export const Stock = z.object({
  /** The variant's id or the material's code. Neither ever changes, while a SKU may. */
  id: z.string(),
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

/** Whether an item can be bought: from stock, on backorder, or not at all. */
export function stockState(
  row: Pick<Stock, "available" | "policy" | "low_stock_threshold">,
): "in_stock" | "low_stock" | "backorder" | "out_of_stock" {
  if (row.available > 0) {
    return row.available <= row.low_stock_threshold ? "low_stock" : "in_stock";
  }
  return row.policy === "backorder" ? "backorder" : "out_of_stock";
}

/** A conditional change of a stock row: what it adds, and what it requires. */
export interface StockChange {
  readonly add: { readonly on_hand: number; readonly reserved: number; readonly available: number };
  /** Required minimum of each member. */
  readonly atLeast: Partial<Record<"on_hand" | "reserved" | "available", number>>;
  /** A row with this policy is changed regardless of `atLeast`. */
  readonly waivedBy: StockPolicy | null;
}

/** Placing an order: reserves the units. */
export function reserve(quantity: number): StockChange {
  return {
    add: { on_hand: 0, reserved: quantity, available: -quantity },
    atLeast: { available: quantity },
    waivedBy: "backorder",
  };
}

/** Cancelling or expiry: releases the units. */
export function release(quantity: number): StockChange {
  return {
    add: { on_hand: 0, reserved: -quantity, available: quantity },
    atLeast: { reserved: quantity },
    waivedBy: null,
  };
}

/** Dispatch: the reserved units leave the stock. */
export function dispatch(quantity: number): StockChange {
  return {
    add: { on_hand: -quantity, reserved: -quantity, available: 0 },
    atLeast: { on_hand: quantity, reserved: quantity },
    waivedBy: null,
  };
}

/**
 * Moves units by what happened to them: those that are back are on hand again, and those that are no longer to be sent
 * are no longer reserved. Units that are reserved without being back must be available.
 */
export function moveUnits({
  on_hand,
  reserved,
}: {
  on_hand: number;
  reserved: number;
}): StockChange {
  const available = on_hand - reserved;
  return {
    add: { on_hand, reserved, available },
    atLeast: {
      on_hand: Math.max(0, -on_hand),
      ...(reserved < 0 && { reserved: -reserved }),
      ...(available < 0 && { available: -available }),
    },
    waivedBy: available < 0 ? "backorder" : null,
  };
}

/**
 * Whether the row allowed the change when it was read. Only the conditional write decides whether the change is made.
 */
export function canChange(stock: Stock, { atLeast, waivedBy }: StockChange): boolean {
  if (stock.policy === waivedBy) return true;
  return (["on_hand", "reserved", "available"] as const).every(
    (member) => stock[member] >= (atLeast[member] ?? -Infinity),
  );
}

/** Units by the id of their stock, summed over lines. */
export function unitsByStock(
  lines: readonly (StockedLine & { readonly quantity: number })[],
): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const line of lines) {
    const id = stockIdOf(line);
    if (id !== null) units.set(id, (units.get(id) ?? 0) + line.quantity);
  }
  return units;
}

export const isLow = (row: Pick<Stock, "available" | "low_stock_threshold">): boolean =>
  row.available <= row.low_stock_threshold;

/** The selling terms of a variant or sample, which staff set with its product or material. */
export type SellingTerms = Pick<Stock, "policy" | "low_stock_threshold">;
export const usualTerms: SellingTerms = { policy: "deny", low_stock_threshold: 0 };

/** The initial stock row of a variant or sample. */
export function newStock(id: string, owner: StockOwner, terms: SellingTerms, now: Date): Stock {
  return {
    id,
    owner,
    on_hand: 0,
    reserved: 0,
    available: 0,
    ...terms,
    version: 1,
    updated_at: now.toISOString(),
  };
}

/** A stock count: the new total, or the number of units to add. */
type StockCount = { set: number } | { adjust: number };

/**
 * The units on hand after a count; null if fewer than the reserved units would be left. Adding units is always allowed,
 * because an item on backorder may have more reserved units than arrive.
 */
export function countedStock(
  row: Pick<Stock, "on_hand" | "reserved">,
  count: StockCount,
): number | null {
  const onHand = "set" in count ? count.set : row.on_hand + count.adjust;
  const adds = "adjust" in count && count.adjust > 0;
  return onHand >= 0 && (adds || onHand >= row.reserved) ? onHand : null;
}
