import * as z from "zod";
import { MoneySum } from "../base/money.ts";
import { NullableTimestamp } from "../base/text.ts";
import { PaymentPartCode } from "../pricing/payment-plans.ts";
import { refundLimits } from "../settings/settings.ts";

/** The terms of an order that is paid in parts, as agreed when it was placed. */
export const OrderDeposit = z.object({
  amount: MoneySum,
  refundable_until: z.enum(refundLimits),
  balance_days: z.int(),
  remind_after_days: z.array(z.int()),
  /** Whether its money gets vouchers. */
  has_vouchers: z.boolean().default(false),
  /** When the balance has to be paid; null until the order is `ready_to_dispatch`. */
  due_at: NullableTimestamp,
});
export type OrderDeposit = z.output<typeof OrderDeposit>;

/** What changes have added to an order: a part of its payment schedule. */
export const OrderAddition = z.object({
  amount: MoneySum,
  due: z.enum(["now", "on_delivery"]),
  /** When it has to be paid; null if it is paid on delivery. */
  due_at: NullableTimestamp,
});
export type OrderAddition = z.output<typeof OrderAddition>;

/** A part of what an order costs. */
export const ScheduledPart = z
  .object({
    code: z.enum([...PaymentPartCode.options, "change"]).meta({
      description: "`change`: what staff have added to the order",
    }),
    amount: MoneySum,
    state: z.enum(["open", "due", "paid", "waived"]).meta({
      description:
        "`open`: not due yet, or no longer expected. `waived`: the order may be dispatched, and the money is still owed",
    }),
    due: z.enum(["now", "before_dispatch", "on_delivery"]),
    due_at: NullableTimestamp,
    paid_at: NullableTimestamp,
  })
  .meta({ id: "ScheduledPart" });
export type ScheduledPart = z.output<typeof ScheduledPart>;
