import * as z from "zod";
import { Money, wholeBps } from "../base/money.ts";
import { Text } from "../base/text.ts";

/** A discount that staff give on a line: a share of its subtotal, or an amount for all its units. */
export const LineDiscount = z
  .strictObject({
    bps: z.int().min(1).max(wholeBps).nullable().default(null).meta({
      description: "Share of the line's subtotal in basis points",
    }),
    amount: Money.min(1).nullable().default(null).meta({
      description: "Amount for all units of the line",
    }),
    reason: Text(200),
  })
  .refine(({ bps, amount }) => (bps === null) !== (amount === null), {
    path: ["bps"],
    error: "Give either bps or an amount.",
  });
export type LineDiscount = z.output<typeof LineDiscount>;

/** What a discount takes off a line, rounded in the shop's favour. */
export function discountOn(subtotal: number, discount: LineDiscount | null): number {
  const { bps, amount } = discount ?? { bps: null, amount: 0 };
  return bps === null ? (amount ?? 0) : Number((BigInt(subtotal) * BigInt(bps)) / 10_000n);
}

/**
 * The lowest price that a discount of so many basis points allows. What is no whole minor unit is rounded in the shop's
 * favour.
 */
export const lowestPrice = (price: number, bps: number): number =>
  Number((BigInt(price) * BigInt(wholeBps - bps) + 9_999n) / 10_000n);
