import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { markReady } from "#shared/application/order/staff-steps.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import { LinePatch } from "#shared/domain/order/shipment/prepare-shipment.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";

export const changeLine = route({
  method: "PATCH",
  path: "/admin/orders/{id}/lines/{line}",
  summary: "Mark an added line as ready",
  description:
    "A line that a change has added and that is made to order is packed only after this. Repeating the call changes " +
    "nothing.",
  access: staff("orders.update"),
  request: {
    params: byId.extend({ line: z.string().max(60) }),
    body: LinePatch.meta({ example: { ready: true } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  async handle(call, shop) {
    const record = await markReady(call, call.first, shop);
    return { data: adminOrder(record, call.permissions), version: record.order.version };
  },
});

export const routes = [changeLine];
