import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { OrderProof, proveOrder } from "#shared/auth/order-proof.ts";
import { cancelOwnOrder } from "#shared/application/order/change-own-order.ts";
import { Order, OrderSummary } from "#shared/domain/order/view/buyer-order.ts";
import { orderSummary } from "#shared/domain/order/view/order-view.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { orderBuyer, OwnOrderParams, openOwnOrder, orderAnswer } from "./own-order.ts";
import { listRoute } from "#functions/list-route.ts";
import { customer, route } from "#shared/http/route.ts";
import { proveEmail } from "#shared/storage/customer/proven-emails.ts";
import { listOrdersOf, ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { customerId } from "#shared/domain/request/identity.ts";

export const listOrders = listRoute({
  path: "/orders",
  summary: "List the customer's orders, newest first",
  description:
    "Returns a summary of each order. `GET /orders/{id}` says what the buyer may do, because that " +
    "depends on the order's shipments. Guests have no list: each order has its token.",
  access: customer,
  row: OrderSummary,
  list({ actor }, { table }: Shop<"table">) {
    const buyer = `customer#${customerId(actor)}` as const;
    const range = ordersOfBuyer(buyer);
    return { range, page: (at) => listOrdersOf(table, buyer, at) };
  },
  shown: (orders) => orders.map(orderSummary),
});

export const getOrder = route({
  method: "GET",
  path: "/orders/{id}",
  summary: "Get an order",
  description:
    "Includes lines, totals, payments, shipments, timeline, and what the buyer may do. A guest " +
    "sends the token of the order, of the mailed link or of the cart, until the order joins an " +
    "account. The mailed link ends 30 days after the order was completed or ended otherwise.",
  access: orderBuyer,
  request: { params: OwnOrderParams, headers: OrderProof },
  response: { status: 200, data: Order },
  first: (call, shop: Shop<"table" | "linkKeys" | "log" | "settings", CommerceGroup>) =>
    openOwnOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const { record, provenEmail } = await proveOrder(found, call, shop);
    if (provenEmail !== null) await proveEmail(shop, provenEmail, call.now);
    return orderAnswer(record, { settings, now: call.now });
  },
});

export const cancelOrder = route({
  method: "POST",
  path: "/orders/{id}/cancel",
  summary: "Cancel an order",
  description:
    "Allowed until production or packing starts. Releases the order's stock and coupon uses " +
    "and refunds what was paid. Cancelling a cancelled order changes nothing. Authorized like " +
    "`GET /orders/{id}`.",
  access: orderBuyer,
  limit: "order_change",
  request: { params: OwnOrderParams, headers: OrderProof.extend({ "if-match": IfMatch }) },
  response: { status: 200, data: Order },
  errors: ["invalid_transition", "version_mismatch"],
  first: (call, shop: Shop<"table" | "linkKeys" | "settings", CommerceGroup>) =>
    openOwnOrder(call, shop),
  async handle(call, shop) {
    const [found, settings] = call.first;
    const record = await cancelOwnOrder(call, found, shop);
    return orderAnswer(record, { settings, now: call.now });
  },
});

export const routes = [listOrders, getOrder, cancelOrder];
