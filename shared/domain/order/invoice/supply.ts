import * as z from "zod";
import { MoneySum } from "../../base/money.ts";

/** An amount including tax, and the amount of each tax component in it, in the order's sequence. */
const part = { amount: MoneySum, taxes: z.array(MoneySum) };

/** What an invoice charges for, or what a credit note takes off it. */
export const Supply = z.object({
  lines: z.array(z.object({ id: z.string(), quantity: z.int().min(0), ...part })),
  shipping: z.object(part),
  /** What the document rounds off (negative) or up, for an order that is paid in cash. */
  rounding: z.int().optional(),
});
export type Supply = z.output<typeof Supply>;
export type SuppliedLine = Supply["lines"][number];
export type SuppliedPart = Supply["shipping"];

/** The value of a supply, including tax, before it is rounded. */
export const supplyValue = ({ lines, shipping }: Supply): number =>
  lines.reduce((sum, { amount }) => sum + amount, shipping.amount);
