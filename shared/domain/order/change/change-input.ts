import * as z from "zod";
import { ChosenConfiguration } from "../../sofa/configuration.ts";
import { Money } from "../../base/money.ts";
import { Code, HsnCode, IdOrSlug, Sku } from "../../base/names.ts";
import { MultilineText, Text } from "../../base/text.ts";
import { Reference } from "../../payment/record-payment.ts";
import { ShippingMethodCode } from "../../settings/zone-settings.ts";
import { Goods } from "../shipment/shipment-input.ts";

const units = {
  id: z.string().max(60),
  quantity: z.int().min(1).max(99),
};

/** A line that is not in the catalog. Its price includes tax if the shop's prices do. */
const CustomUnits = z
  .strictObject({
    title: Text(200),
    price: Money,
    tax_class: Code,
    hsn_code: HsnCode.optional(),
    made_to_order: z.boolean().default(false),
  })
  .meta({ description: "Needs `orders.discount`" });
export type CustomUnits = z.output<typeof CustomUnits>;

/** Units that a change adds as a new line. */
export const AddedUnits = z
  .strictObject({
    sku: Sku.optional(),
    sofa: IdOrSlug("sofa").optional(),
    configuration: ChosenConfiguration.optional(),
    custom: CustomUnits.optional(),
    quantity: units.quantity,
    unit_price: Money.optional().meta({
      description: "Default: the catalog's. A lower one needs `orders.discount`",
    }),
    note: MultilineText(500).nullish(),
  })
  .refine(
    ({ sku, sofa, configuration, custom, unit_price }) =>
      [sku, sofa, custom].filter((named) => named !== undefined).length === 1 &&
      (configuration === undefined || sofa !== undefined) &&
      (unit_price === undefined || custom === undefined),
    { path: ["sku"], error: "Give a SKU, a sofa with its configuration, or a custom line." },
  )
  .meta({ id: "AddedUnits" });
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
    shipping_method: ShippingMethodCode.optional(),
    shipping: Money.optional().meta({
      description: "What delivery costs; default: the method's price of the day",
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
    ({ take_off, take_back, reduce, add, shipping_method, shipping }) =>
      take_off.length + take_back.length + reduce.length + add.length > 0 ||
      (shipping_method ?? shipping) !== undefined,
    {
      path: ["take_off"],
      error: "Name what to take off, take back, reduce, add or deliver otherwise.",
    },
  );
export type ChangeInput = z.output<typeof ChangeInput>;
