import * as z from "zod";
import { MoneySum } from "../base/money.ts";
import { Timestamp } from "../base/text.ts";
import { PaymentPartCode } from "../pricing/payment-plans.ts";
import { refundLimits } from "../settings/settings.ts";

/** The terms of an order that is paid in parts, as agreed when it was placed, and what happened to its balance. */
export const OrderDeposit = z.object({
  amount: MoneySum,
  refundable_until: z.enum(refundLimits),
  balance_days: z.int(),
  remind_after_days: z.array(z.int()),
  /** Whether its money gets vouchers. */
  has_vouchers: z.boolean().default(false),
  /** When the balance has to be paid; null until the order is `ready_to_dispatch`. */
  due_at: Timestamp.nullable(),
  /** Why staff let the order leave before the balance is paid; null if they do not. */
  waiver: z.object({ reason: z.string(), at: Timestamp }).nullable(),
  /** The refunded money that the buyer does not have to pay again. Derived from the ledger and written with it. */
  credited: MoneySum,
  /** The part of the deposit that the shop kept when it cancelled the order at the buyer's request. */
  retained: MoneySum,
});
export type OrderDeposit = z.output<typeof OrderDeposit>;

/** A part of what an order costs. */
export const ScheduledPart = z
  .object({
    code: PaymentPartCode,
    amount: MoneySum,
    state: z.enum(["open", "due", "paid", "waived"]).meta({
      description:
        "`open`: not due yet, or no longer expected. Of an order that is cancelled, expired or returned, what was not " +
        "paid or has been refunded is `open`, and nothing is due. `waived`: the order may be dispatched, and the money " +
        "is still owed",
    }),
    due: z.enum(["now", "before_dispatch", "on_delivery"]),
    due_at: Timestamp.nullable(),
    paid_at: Timestamp.nullable(),
  })
  .meta({ id: "ScheduledPart" });
export type ScheduledPart = z.output<typeof ScheduledPart>;
