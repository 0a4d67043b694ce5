import * as z from "zod";
import { Currency, MoneySum } from "../base/money.ts";
import { PostalAddress } from "../contact/postal-address.ts";
import { OrderItem, StoredOrder } from "./order.ts";
import { amountDue } from "../payment/payment.ts";
import { DeliverySlot, shownSlot } from "../delivery/delivery-slot.ts";

/** What the van has to know of an order that it delivers. */
export const Delivery = z
  .object({
    order: StoredOrder.pick({ id: true, number: true, status: true }),
    slot: DeliverySlot,
    method: StoredOrder.shape.shipping.shape.method,
    includes: StoredOrder.shape.shipping.shape.includes,
    address: PostalAddress,
    note: z.string().nullable(),
    items: z.array(
      OrderItem.pick({ sku: true, name: true, quantity: true }).extend({
        parcels: OrderItem.shape.parcels.unwrap().meta({ description: "The packages of one unit" }),
      }),
    ),
    parcel_count: z.int().meta({ description: "Packages of all units" }),
    weight_g: z.int(),
    currency: Currency,
    to_collect: MoneySum.meta({
      description:
        "Cash that the buyer pays on delivery: an order or a balance that is still to be paid",
    }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.output<typeof Delivery>;

/** An order of a day's run. Null if it has another slot by now. */
export function deliveryOf(order: StoredOrder): Delivery | null {
  const slot = shownSlot(order.slot);
  if (!slot) return null;
  const { id, number, status, shipping, addresses, note, currency } = order;
  const items = order.items.map(({ sku, name, quantity, parcels }) => ({
    sku,
    name,
    quantity,
    parcels,
  }));
  const parcels = items.flatMap((item) =>
    Array.from({ length: item.quantity }, () => item.parcels).flat(),
  );
  return {
    order: { id, number, status },
    slot,
    method: shipping.method,
    includes: shipping.includes,
    address: addresses.shipping,
    note,
    items,
    parcel_count: parcels.length,
    weight_g: parcels.reduce((sum, { weight_g }) => sum + weight_g, 0),
    currency,
    to_collect: order.payment_method === "cod" ? amountDue(order) : 0,
  };
}
