import * as z from "zod";
import { ChosenConfiguration } from "../sofa/configuration.ts";
import { Id } from "../base/ids.ts";
import { Money } from "../base/money.ts";
import { Sku, Slug } from "../base/names.ts";
import { MultilineText } from "../base/text.ts";
import { Reference } from "../payment/record-payment.ts";
import { Goods } from "./shipment-input.ts";

const units = {
  id: z.string().max(60),
  quantity: z.int().min(1).max(99),
};

/** Units that a change adds as a new line. */
const AddedUnits = z
  .strictObject({
    sku: Sku.optional(),
    sofa: z
      .union([Id("sofa"), Slug])
      .optional()
      .meta({ description: "Id or slug" }),
    configuration: ChosenConfiguration.optional(),
    quantity: units.quantity,
    note: MultilineText(500).nullish(),
  })
  .refine(
    ({ sku, sofa, configuration }) =>
      (sku === undefined) !== (sofa === undefined) &&
      (configuration === undefined || sofa !== undefined),
    { path: ["sku"], error: "Give a SKU, or a sofa with its configuration." },
  );
export type AddedUnits = z.output<typeof AddedUnits>;

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
    add: z.array(AddedUnits).max(20).default([]).meta({
      description: "New lines at the catalog's prices of the day, without the order's coupon",
    }),
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
    ({ take_off, take_back, reduce, add }) =>
      take_off.length + take_back.length + reduce.length + add.length > 0,
    { path: ["take_off"], error: "Name what to take off, take back, reduce or add." },
  );
export type ChangeInput = z.output<typeof ChangeInput>;
