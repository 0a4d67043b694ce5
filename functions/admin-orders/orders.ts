import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { listRoute } from "#functions/list-route.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { OrderPatch } from "#shared/domain/order/edit/edit-order.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  AdminOrder,
  AdminOrderSummary,
  adminOrder,
  adminOrderSummary,
} from "#shared/domain/order/view/admin-order.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { patchOrder } from "#shared/application/order/patch-order.ts";
import { OrderQuery, findOrders } from "./find-orders.ts";

const answerOf = (
  record: OrderRecord,
  { permissions }: Pick<Call, "permissions">,
): Answer<AdminOrder> => ({
  data: adminOrder(record, permissions),
  version: record.order.version,
});

export const listAllOrders = listRoute({
  path: "/admin/orders",
  summary: "List orders, newest first unless `sort` says otherwise",
  description:
    "A page may hold fewer items than `per_page`, or none: continue until `next_cursor` is null. " +
    "A search by name first lists names that equal the longest word of `q`, then names that begin " +
    "with this word; orders with the same name are listed newest first. New and changed names are " +
    "found after some seconds. Without `from`, the list reaches back to the oldest order.",
  access: staff("orders.view"),
  query: OrderQuery,
  row: AdminOrderSummary,
  list: ({ query }, shop: Shop<"table" | "settings", CommerceGroup>) => findOrders(query, shop),
  shown: (orders) => orders.map(adminOrderSummary),
});

export const getAnyOrder = route({
  method: "GET",
  path: "/admin/orders/{id}",
  summary: "Get an order",
  description: "Includes staff-only data, such as attention flags and `allowed_transitions`.",
  access: staff("orders.view"),
  request: { params: byId },
  response: { status: 200, data: AdminOrder },
  first: ({ params }, { table }: Shop<"table">) => openOrders(table).find(params.id),
  handle: async (call) => answerOf(orNotFound(call.first), call),
});

export const changeAnyOrder = route({
  method: "PATCH",
  path: "/admin/orders/{id}",
  summary: "Update an order",
  description:
    "`status` accepts one of `allowed_transitions`. The other statuses follow from payments, " +
    "shipments and deadlines. Cancelling releases the order's stock and refunds what was paid, " +
    "which also requires `orders.refund`. A cancellation that the buyer requested may keep a part " +
    "of the deposit with `keep_amount`. " +
    "Address and contact can change until the order ships, and only to an address with the same " +
    "delivery and tax cost. Setting the current status changes nothing. `attention` lists the " +
    "attention flags to keep; `[]` clears them all. `part_paid`, `overpaid` and `refund_to_make` " +
    "also clear automatically once the money is received or refunded, `balance_overdue` once the " +
    "balance is paid or waived; `refund_failed`, " +
    "`late_payment` and `payment_mismatch` stay until staff clear them here.",
  access: staff("orders.update"),
  request: {
    params: byId,
    body: OrderPatch.meta({ example: { status: "in_production", tags: ["gift"] } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder },
  errors: ["invalid_transition", "order_locked", "slot_taken", "version_mismatch"],
  first: ({ params }, { table }: Shop<"table" | "settings", CommerceGroup>) =>
    openOrders(table).find(params.id),
  handle: async (call, shop) => answerOf(await patchOrder(call, call.first, shop), call),
});

export const routes = [listAllOrders, getAnyOrder, changeAnyOrder];
