import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { cancelOwnReturn } from "#shared/application/order/step-return.ts";
import { openOwnReturn } from "#shared/application/order/create-return.ts";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { ReturnInput } from "#shared/domain/order/returns/return-input.ts";
import {
  OrderReturns,
  Return,
  returnForBuyer,
  returnsForBuyer,
} from "#shared/domain/order/returns/return-view.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { route } from "#shared/http/route.ts";
import * as z from "zod";
import { OwnOrderParams, openOwnOrder, orderBuyer } from "./own-order.ts";

type OrderReturnsShop = Shop<"table" | "linkKeys" | "settings", CommerceGroup>;

const example: z.input<typeof ReturnInput> = {
  items: [{ id: "line_01JD0000000000000000000001", quantity: 1, reason: "changed-mind" }],
  wish: "refund",
};

export const listOrderReturns = route({
  method: "GET",
  path: "/orders/{id}/returns",
  summary: "List an order's returns, and what can be returned",
  description: "`items` has each line with the units that can be returned, and until when.",
  access: orderBuyer,
  request: { params: OwnOrderParams, headers: OrderProof },
  response: { status: 200, data: OrderReturns },
  first: (call, shop: OrderReturnsShop) => openOwnOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const record = await provenOrder(found, call, shop);
    return { data: returnsForBuyer(record, { settings, now: call.now }) };
  },
});

export const requestReturn = route({
  method: "POST",
  path: "/orders/{id}/returns",
  summary: "Request a return or claim a warranty",
  description:
    "What cannot come back is a 422 that says why, item by item. A unit is in one open return at a time. Pictures are " +
    "uploaded first, with `POST /media/fabric`.",
  access: orderBuyer,
  limit: "order_change",
  idempotent: true,
  request: { params: OwnOrderParams, headers: OrderProof, body: ReturnInput.meta({ example }) },
  response: { status: 201, data: Return },
  first: (call, shop: OrderReturnsShop) => openOwnOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const record = await provenOrder(found, call, shop);
    const { found: opened, headers } = await openOwnReturn(call, shop, { record, settings });
    return { data: returnForBuyer(opened), headers };
  },
});

export const cancelReturn = route({
  method: "POST",
  path: "/orders/{id}/returns/{return}/cancel",
  summary: "Cancel a return",
  description: "Allowed until the goods have arrived. Cancelling it again changes nothing.",
  access: orderBuyer,
  limit: "order_change",
  request: {
    params: OwnOrderParams.extend({ return: z.string().max(60) }),
    headers: OrderProof.extend({ "if-match": IfMatch }),
  },
  response: { status: 200, data: Return },
  errors: ["invalid_transition", "version_mismatch"],
  first: (call, shop: OrderReturnsShop) => openOwnOrder(call, shop),
  async handle(call, shop) {
    const { found } = await cancelOwnReturn(call, call.first[0], shop);
    return { data: returnForBuyer(found) };
  },
});

export const routes = [listOrderReturns, requestReturn, cancelReturn];
