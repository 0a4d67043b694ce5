import * as z from "zod";
import { Money } from "../base/money.ts";
import { MultilineText } from "../base/text.ts";
import { Reference } from "../payment/record-payment.ts";
import { Goods } from "./shipment-input.ts";

const units = {
  id: z.string().max(60),
  quantity: z.int().min(1).max(99),
};

/** `POST /admin/orders/{id}/changes`. */
export const ChangeInput = z
  .strictObject({
    take_off: z
      .array(z.strictObject({ ...units, goods: Goods.exclude(["lost"]).default("restock") }))
      .max(50)
      .default([])
      .meta({ description: "Units that were not sent and never will be" }),
    take_back: z
      .array(z.strictObject({ ...units, goods: Goods }))
      .max(50)
      .default([])
      .meta({ description: "Delivered units that are back" }),
    reduce: z
      .array(
        z.strictObject({
          id: units.id.nullable().meta({ description: "Null for the whole order" }),
          amount: Money.min(1),
        }),
      )
      .max(50)
      .default([])
      .meta({ description: "What lines, or the whole order, cost less" }),
    reason: MultilineText(500).meta({ description: "Visible to staff only" }),
    refund: z
      .strictObject({
        when: z.enum(["now", "later"]).default("now"),
        method: z.enum(["cod", "bank_transfer"]).optional(),
        reference: Reference.nullish(),
      })
      .prefault({})
      .meta({ description: "Whether a surplus goes back at once" }),
    notify: z.boolean().default(true),
  })
  .refine(
    ({ take_off, take_back, reduce }) => take_off.length + take_back.length + reduce.length > 0,
    { path: ["take_off"], error: "Name what to take off, take back or reduce." },
  );
export type ChangeInput = z.output<typeof ChangeInput>;
