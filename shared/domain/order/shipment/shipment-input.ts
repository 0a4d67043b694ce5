import * as z from "zod";
import { ShipmentStatus } from "../status/order-states.ts";
import { Text } from "../../base/text.ts";
import { WebAddress } from "../../base/web-address.ts";

const transport = {
  carrier: Text(80).nullable().optional(),
  tracking_number: Text(80).nullable().optional(),
  tracking_url: WebAddress.nullable().optional(),
};

const item = { id: z.string().max(60), quantity: z.int().min(1).max(99) };
const namedOnce = (items: readonly { readonly id: string }[]) =>
  new Set(items.map(({ id }) => id)).size === items.length;
const namedTwice = { message: "The items field names a line twice." };

const ShipmentItems = z.array(z.strictObject(item)).min(1).max(50).refine(namedOnce, namedTwice);

/** `POST /admin/orders/{id}/shipments`. */
export const ShipmentInput = z.strictObject({
  items: ShipmentItems.optional().meta({
    description: "Default: all units that are in no shipment yet",
  }),
  ...transport,
});
export type ShipmentInput = z.output<typeof ShipmentInput>;

/** What becomes of units that a carrier brings back. */
const Then = z.enum(["resend", "take_back"]);
/** What becomes of the goods that are back, or were to come back. */
export const Goods = z.enum(["restock", "scrap", "lost"]);
export type Goods = z.output<typeof Goods>;

const back = {
  then: Then.default("resend").meta({
    description:
      "What becomes of the units: `resend` opens them again, `take_back` ends them. Default: `resend`",
  }),
  goods: Goods.default("restock").meta({
    description:
      "What becomes of the goods. `resend` with `scrap` or `lost` reserves other units. Default: `restock`",
  }),
};

/** `PATCH /admin/orders/{id}/shipments/{shipment}`. */
export const ShipmentPatch = z
  .strictObject({
    status: ShipmentStatus.optional(),
    items: ShipmentItems.optional().meta({
      description: "Can change while the shipment is `pending`",
    }),
    then: back.then.unwrap().optional().meta({
      description:
        "With `returned_to_origin`. `resend` (the default) opens the units again, `take_back` ends them",
    }),
    goods: back.goods
      .unwrap()
      .optional()
      .meta({
        description:
          "With `returned_to_origin`: where the goods are. Default: `restock`. `resend` with `scrap` or `lost` " +
          "reserves other units",
      }),
    back: z
      .array(z.strictObject({ ...item, ...back }))
      .min(1)
      .max(50)
      .refine(namedOnce, namedTwice)
      .optional()
      .meta({
        description:
          "With `delivered`: units that the buyer did not take. They become a shipment of their own, " +
          "`returned_to_origin`",
      }),
    ...transport,
  })
  .refine(
    ({ status, then, goods }) => (then ?? goods) === undefined || status === "returned_to_origin",
    { path: ["then"], message: "The then and goods fields need the status returned_to_origin." },
  )
  .refine(({ status, back: refused }) => refused === undefined || status === "delivered", {
    path: ["back"],
    message: "The back field needs the status delivered.",
  });
export type ShipmentPatch = z.output<typeof ShipmentPatch>;
