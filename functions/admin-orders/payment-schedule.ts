import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import * as z from "zod";
import { waiveBalance } from "#shared/application/order/staff-steps.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import { PartPatch } from "#shared/domain/order/status/balance.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { route, staff } from "#shared/http/route.ts";

export const changePart = route({
  method: "PATCH",
  path: "/admin/orders/{id}/payment-schedule/{code}",
  summary: "Waive what is due before dispatch",
  description:
    "Lets the order leave before its balance, or what is due again, is paid. The money is still owed. " +
    "Waiving a waived part changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: byId.extend({ code: z.string().max(60) }),
    body: PartPatch.meta({ example: { state: "waived", reason: "Pays by cheque on delivery" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  async handle(call, shop) {
    const record = await waiveBalance(call, call.first, shop);
    return { data: adminOrder(record, call.permissions), version: record.order.version };
  },
});

export const routes = [changePart];
