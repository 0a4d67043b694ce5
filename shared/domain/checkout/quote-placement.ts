import * as z from "zod";
import { Money, MoneySum } from "../base/money.ts";
import { Tender } from "../payment/payment.ts";
import { PaymentInput, Reference, methodOf } from "../payment/record-payment.ts";
import { PaymentMethod } from "../settings/settings.ts";

/** How a quote that staff place is paid, and what they have received at once. */
const PlacePayment = z
  .strictObject({
    method: PaymentMethod.meta({ description: "How the order is paid, or the rest of it" }),
    tender: Tender.optional().meta({
      description: "Records a payment with the order: how you received the money",
    }),
    amount: Money.min(1).optional().meta({
      description: "What you received. Default: the deposit of a plan in parts, otherwise all",
    }),
    reference: Reference.nullish().meta({
      description: "Required for a transfer, a cheque and financing",
    }),
    again: PaymentInput.shape.again,
  })
  .refine(({ tender, amount }) => tender !== undefined || amount === undefined, {
    path: ["tender"],
    error: "The tender field is required with an amount.",
  })
  .refine(
    ({ tender, reference }) =>
      tender === undefined || reference != null || methodOf(tender) === "cod",
    {
      path: ["reference"],
      error: "The reference field is required unless the money was paid in cash, by card or UPI.",
    },
  );

/** `POST /admin/quotes/{id}/place`. */
export const PlaceQuoteInput = z.strictObject({
  payment: PlacePayment,
  expected_total: MoneySum.optional().meta({ description: "Refuses any other total" }),
});
export type PlaceQuoteInput = z.output<typeof PlaceQuoteInput>;
