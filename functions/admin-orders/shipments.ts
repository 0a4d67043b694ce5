import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { ShipmentInput, ShipmentPatch } from "#shared/domain/order/shipment/shipment-input.ts";
import {
  AdminOrder,
  AdminShipment,
  adminOrder,
  adminShipment,
} from "#shared/domain/order/view/admin-order.ts";
import { addShipment, patchShipment, shipmentIn } from "#shared/application/order/save-shipment.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";

const ShipmentAnswer = z.object({ order: AdminOrder, shipment: AdminShipment });

const answerOf = (
  record: OrderRecord,
  id: string,
  { permissions }: Pick<Call, "permissions">,
): Answer<z.input<typeof ShipmentAnswer>> & { version: number } => ({
  data: {
    order: adminOrder(record, permissions),
    shipment: adminShipment(record, shipmentIn(record, id)),
  },
  version: record.order.version,
});

export const createShipment = route({
  method: "POST",
  path: "/admin/orders/{id}/shipments",
  summary: "Create a shipment",
  description:
    "Without `items`, the shipment contains all units that are in no shipment yet. Allowed " +
    "once the order is confirmed.",
  access: staff("orders.update"),
  idempotent: true,
  request: {
    params: byId,
    body: ShipmentInput.meta({
      example: { carrier: "Delhivery", tracking_number: "1490823764521" },
    }),
    headers: ifMatch,
  },
  response: { status: 201, data: ShipmentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  async handle(call, shop) {
    return addShipment(call, shop, (record, id) => answerOf(record, id, call));
  },
});

export const changeAnyShipment = route({
  method: "PATCH",
  path: "/admin/orders/{id}/shipments/{shipment}",
  summary: "Update a shipment",
  description:
    "`out_for_delivery` takes the units from the stock and makes the order `shipped`. The invoice " +
    "is issued when the order's first shipment goes out; if many orders ship concurrently, " +
    "`invoice` may be null here and follows within a minute. The order becomes `delivered` when " +
    "all its units are delivered, and `returned` when everything that was sent is back. With " +
    "`returned_to_origin`, `then` and `goods` say what becomes of the units. With `delivered`, `back` names the " +
    "units that the buyer did not take. Dispatch returns 409 `balance_due` while the balance of an order that is " +
    "paid in parts is neither paid nor waived nor `on_delivery`. " +
    "`If-Match` accepts the order's `ETag`. Setting the current status changes nothing.",
  access: staff("orders.update"),
  request: {
    params: byId.extend({ shipment: z.string().max(60) }),
    body: ShipmentPatch.meta({ example: { status: "out_for_delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: ShipmentAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "insufficient_stock", "balance_due", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "log" | "settings", CommerceGroup>) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    return answerOf(await patchShipment(call, call.first, shop), call.params.shipment, call);
  },
});

export const routes = [createShipment, changeAnyShipment];
