import * as z from "zod";
import { OrderPatch } from "#shared/domain/order/edit-order.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  AdminOrder,
  AdminOrderSummary,
  adminOrder,
  adminOrderSummary,
} from "#shared/domain/order/admin-order.ts";
import { found } from "#shared/application/edit.ts";
import { requireVersion } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta } from "#shared/http/paging.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import { retryOnConflict } from "#shared/storage/on-fresh.ts";
import { patchOrder } from "./change-order.ts";
import type { Deps } from "./deps.ts";
import { OrderQuery, findOrders } from "./find-orders.ts";

const answerOf = (
  record: OrderRecord,
  { permissions }: Pick<Call, "permissions">,
): Answer<AdminOrder> => ({
  data: adminOrder(record, permissions),
  version: record.order.version,
});

export const listAllOrders = route({
  method: "GET",
  path: "/admin/orders",
  summary: "Orders, newest first",
  description:
    "With filters, or several words of a name, a page may be short, or empty, while a cursor follows. By name those " +
    "come first whose longest word that was asked for is meant whole, and the newest of a name first. A new or a " +
    "changed name is found some seconds later. Without `from`, orders of any state go back a year from `to`, or from " +
    "today.",
  access: staff("orders.view"),
  request: { query: OrderQuery },
  response: { status: 200, data: z.array(AdminOrderSummary), meta: CursorMeta },
  async handle({ query, now }, deps: Deps) {
    const { orders, next_cursor } = await findOrders(query, deps, now);
    return {
      data: orders.map(adminOrderSummary),
      meta: { per_page: query.per_page, next_cursor },
    };
  },
});

export const getAnyOrder = route({
  method: "GET",
  path: "/admin/orders/{id}",
  summary: "An order with all there is of it",
  access: staff("orders.view"),
  request: { params: byId },
  response: { status: 200, data: AdminOrder },
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  handle: async (call) => answerOf(found(call.first), call),
});

export const changeAnyOrder = route({
  method: "PATCH",
  path: "/admin/orders/{id}",
  summary: "Take an order a step further, or change what is said of it",
  description:
    "`status` takes one of `allowed_transitions`: payments confirm an order, time lets it expire, shipments send and " +
    "deliver it. Cancelling frees its goods and gives back what was paid, which needs `orders.refund` too; `returned` frees what was not sent. " +
    "Address and contact change until the order is sent, and only to where delivery and tax cost the same. The " +
    "state it is in already changes nothing. `attention` takes those of the order's marks that are still to be " +
    "looked at: `[]` clears them all, and the order leaves `GET /admin/orders?attention=1`. `part_paid`, `overpaid` " +
    "and `refund_to_make` also end by themselves once the money is there or given back; `refund_failed`, " +
    "`late_payment` and `payment_mismatch` stay until somebody clears them here.",
  access: staff("orders.update"),
  request: {
    params: byId,
    body: OrderPatch.meta({ example: { status: "in_production", tags: ["gift"] } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminOrder },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, { orders, settings, table }) {
    const { params, body, headers, first } = call;
    const known = await settings.current();
    const readAgain = () => orders.find(params.id);
    const after = await retryOnConflict(first, readAgain, async (read) => {
      const record = found(read);
      requireVersion(headers["if-match"], record.order.version);
      const by = { audit: auditContextOf(call), permissions: call.permissions };
      return patchOrder({ record, settings: known, table }, body, by);
    });
    return answerOf(after, call);
  },
});

export const routes = [listAllOrders, getAnyOrder, changeAnyOrder];
