import { wholeBps } from "../base/money.ts";

/**
 * The lowest price that a discount of so many basis points allows. What is no whole minor unit is rounded in the shop's
 * favour.
 */
export const lowestPrice = (price: number, bps: number): number =>
  Number((BigInt(price) * BigInt(wholeBps - bps) + 9_999n) / 10_000n);
