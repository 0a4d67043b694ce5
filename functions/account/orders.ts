import * as z from "zod";
import { OrderProof, provenOrder } from "#shared/auth/order-proof.ts";
import { cancelOrder } from "#shared/domain/order/cancel-order.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { changed } from "#shared/domain/order/order-change.ts";
import { Order, OrderSummary } from "#shared/domain/order/order.ts";
import { orderSummary } from "#shared/domain/order/order-view.ts";
import { AppError, requireVersion } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { orderBuyer, OrderParams, openOrder, orderAnswer } from "./own-order.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { customer, route } from "#shared/http/route.ts";
import { listOrdersOf, ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { changeOrder } from "#shared/storage/order/order-changes.ts";
import { customerId } from "./caller.ts";
import type { Deps } from "./deps.ts";

export const listOrders = route({
  method: "GET",
  path: "/orders",
  summary: "List the customer's orders, newest first",
  description:
    "Returns a summary of each order. `GET /orders/{id}` says what the buyer may do, because that " +
    "depends on the order's shipments. Guests have no list: each order has its token.",
  access: customer,
  request: { query: CursorPage },
  response: { status: 200, data: z.array(OrderSummary), meta: CursorMeta },
  async first({ actor, query: { per_page, cursor } }, { table }: Deps) {
    const buyer = `customer#${customerId(actor)}` as const;
    const { partition, prefix } = ordersOfBuyer(buyer);
    const list = { attribute: "pk", value: partition, prefix };
    const after = keyOfCursor(cursor, list);
    const { orders, next } = await listOrdersOf(table, buyer, { limit: per_page, after });
    return { orders, next_cursor: cursorOf(next, list) };
  },
  async handle({ query: { per_page }, first: { orders, next_cursor } }) {
    return { data: orders.map(orderSummary), meta: { per_page, next_cursor } };
  },
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
  request: { params: OrderParams, headers: OrderProof },
  response: { status: 200, data: Order },
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call) {
    const [found, settings] = call.first;
    return orderAnswer(provenOrder(found, call), { settings, now: call.now });
  },
});

export const cancelOwnOrder = route({
  method: "POST",
  path: "/orders/{id}/cancel",
  summary: "Cancel an order",
  description:
    "Allowed until production or packing starts. Releases the order's stock and coupon uses " +
    "and refunds what was paid. Cancelling a cancelled order changes nothing. Authorized like " +
    "`GET /orders/{id}`.",
  access: orderBuyer,
  limit: "order_change",
  request: { params: OrderParams, headers: OrderProof.extend({ "if-match": IfMatch }) },
  response: { status: 200, data: Order },
  errors: ["invalid_transition", "version_mismatch"],
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, { orders, table }) {
    const { params, headers, now } = call;
    const [first, settings] = call.first;
    const read = () => orders.find(params.id);
    return retryOnConflict(first, read, async (found) => {
      const record = provenOrder(found, call);
      const { order } = record;
      const newTransactionId = () => newId("txn", now);
      const outcome = cancelOrder(record, "customer", { now, newTransactionId });
      if (outcome.kind === "already") return orderAnswer(record, { settings, now });
      requireVersion(headers["if-match"], order.version);
      if (outcome.kind === "refused") {
        throw new AppError("invalid_transition", {
          message: "This order can no longer be cancelled online. Please contact us.",
          details: { from: order.status, to: "cancelled", allowed: outcome.allowed },
        });
      }
      await table.transact(changeOrder(order, outcome.change, now).writes);
      return orderAnswer(changed(record, outcome.change), { settings, now });
    });
  },
});

export const routes = [listOrders, getOrder, cancelOwnOrder];
