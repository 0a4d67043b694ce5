import * as z from "zod";
import { Id } from "../../base/ids.ts";
import { MoneySum } from "../../base/money.ts";
import { Timestamp } from "../../base/text.ts";
import { ShippingMethodCode } from "../../settings/zone-settings.ts";
import { Supply } from "../invoice/supply.ts";

const unitsOfLine = { id: z.string(), quantity: z.int().min(1) };

/** The letters that a change of an order can send to the buyer. */
export const ChangeLetter = z.enum(["order_changed", "order_paid", "order_choose_slot"]);

/**
 * A change of what an order owes: a row of its ledgers. A refund, a cancellation and units that come back each write one.
 * The ledgers are computed from these rows, from shipments and from transactions, so a row never changes.
 */
export const ChangeRow = z.object({
  id: Id("chg"),
  /** The order's version after the change. Changes count in this sequence. */
  version: z.int().min(1),
  at: Timestamp,
  /** Units that will never be sent. */
  taken_off: z.array(z.object(unitsOfLine)),
  /** Units that were sent and are back. `undelivered`: the carrier brought them back. */
  came_back: z.array(z.object({ ...unitsOfLine, undelivered: z.boolean() })),
  /** Units that were sent and stay with the buyer, but whose value was taken off. */
  paid_back: z.array(z.object(unitsOfLine)),
  /** Value that was taken off lines, or off delivery, whose id is null, without units. */
  reduced: z.array(z.object({ id: z.string().nullable(), amount: MoneySum })),
  /** What the shop keeps of units of a line that went. */
  kept: z.array(z.object({ id: z.string(), amount: MoneySum })).default([]),
  /** Lines that were added. */
  added: z.array(z.object(unitsOfLine)).default([]),
  /** Another delivery: its method, and what it costs from then on, including tax. */
  shipping: z.object({ method: ShippingMethodCode, amount: MoneySum }).optional(),
  /** What the change takes off the invoiced supply, which its credit note shows. */
  credit: Supply.optional(),
  /** The letters that announced it to the buyer. */
  letters: z.array(ChangeLetter).optional(),
});
export type ChangeRow = z.output<typeof ChangeRow>;
