import { openOrders } from "#shared/storage/order/orders.ts";
import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import * as z from "zod";
import { changeOrder, previewChange } from "#shared/application/order/change-order.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/view/admin-order.ts";
import { ChangeEffect } from "#shared/domain/order/change/plan-change.ts";
import { ChangeInput } from "#shared/domain/order/change/change-input.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { flag } from "#shared/http/query.ts";
import { route, staff } from "#shared/http/route.ts";
import { markReady } from "#shared/application/order/staff-steps.ts";
import { LinePatch } from "#shared/domain/order/shipment/prepare-shipment.ts";

const example: z.input<typeof ChangeInput> = {
  take_off: [{ id: "line_01JD0000000000000000000001", quantity: 1 }],
  reason: "Ordered twice",
};

export const addChange = route({
  method: "POST",
  path: "/admin/orders/{id}/changes",
  summary: "Change what an order owes",
  description:
    "Takes unsent units off, takes delivered units back, reduces prices, adds lines and, before the first dispatch, " +
    "changes the delivery. With " +
    "`preview=true` it takes no key and stores nothing; send the preview's `ETag` as `If-Match` to make exactly that " +
    "change. A refund that the gateway would refuse is 409 `payment_refused`. Reductions, cheaper delivery and refunds " +
    "need `orders.refund` too. If nothing would be left of an order of which nothing was " +
    "sent, 409 `invalid_transition` points to `cancelled`.",
  access: staff("orders.update"),
  idempotent: "required",
  previewed: true,
  request: {
    params: byId,
    query: z.strictObject({ preview: flag.optional() }),
    body: ChangeInput.meta({ example }),
    headers: ifMatch,
  },
  response: {
    status: 200,
    data: ChangeEffect.extend({ order: AdminOrder }),
    headers: ["ETag"],
  },
  errors: [
    "in_progress",
    "insufficient_stock",
    "invalid_transition",
    "order_locked",
    "payment_refused",
    "version_mismatch",
  ],
  first: ({ params }, { table }: Shop<"table" | "gateways" | "log" | "settings", CommerceGroup>) =>
    openOrders(table).find(params.id),
  async handle(call, shop) {
    const { permissions, query } = call;
    if (query.preview) {
      const { before, after, effect } = await previewChange(call, shop);
      const data = { ...effect, order: adminOrder(after, permissions) };
      return { data, version: before.order.version };
    }
    const { effect, ...booked } = await changeOrder(call, shop);
    const { record } = booked;
    return {
      data: { ...effect, order: adminOrder(record, permissions) },
      version: record.order.version,
      ...(booked.replayed && { headers: { "Idempotent-Replayed": "true" } }),
    };
  },
});

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

export const routes = [addChange, changeLine];
