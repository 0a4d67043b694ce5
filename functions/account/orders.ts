import * as z from "zod";
import { cancelOrder } from "#shared/domain/order/cancel-order.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { changed } from "#shared/domain/order/order-change.ts";
import { Order, type OrderRecord, OrderSummary } from "#shared/domain/order/order.ts";
import { orderForBuyer, orderSummary } from "#shared/domain/order/order-view.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { IfMatch } from "#shared/http/if-match.ts";
import { requireVersion } from "#shared/application/edit.ts";
import { provenOrder } from "#shared/http/proven-order.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { customer, route } from "#shared/http/route.ts";
import { type Actor } from "#shared/domain/request/identity.ts";
import { listOrdersOf, ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { changeOrder } from "#shared/storage/order/order-changes.ts";
import { customerId } from "./caller.ts";
import type { Deps } from "./deps.ts";

const Params = z.object({ id: z.string().max(60) });

/** Returns the order if it belongs to the signed-in customer. Does not accept the order tokens of guests. */
const ownOrder = (found: OrderRecord | undefined, call: { actor: Actor; now: Date }): OrderRecord =>
  provenOrder(found, { ...call, headers: {} });

const answerOf = ({ order, rows }: OrderRecord) => ({
  data: orderForBuyer(order, rows),
  version: order.version,
});

export const listOrders = route({
  method: "GET",
  path: "/orders",
  summary: "List the customer's orders, newest first",
  description: "Returns a summary of each order. Guests use `GET /orders/track/{number}`.",
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
  description: "Includes lines, totals, payments, shipments and timeline.",
  access: customer,
  request: { params: Params },
  response: { status: 200, data: Order },
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call) {
    return answerOf(ownOrder(call.first, call));
  },
});

export const cancelOwnOrder = route({
  method: "POST",
  path: "/orders/{id}/cancel",
  summary: "Cancel an order",
  description:
    "Allowed until production or packing starts. Releases the order's stock and coupon uses " +
    "and refunds what was paid. Cancelling a cancelled order changes nothing.",
  access: customer,
  request: { params: Params, headers: z.object({ "if-match": IfMatch }) },
  response: { status: 200, data: Order },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle({ actor, params, headers, first, now }, { orders, table }) {
    const read = () => orders.find(params.id);
    return retryOnConflict(first, read, async (found) => {
      const record = ownOrder(found, { actor, now });
      const { order } = record;
      const newTransactionId = () => newId("txn", now);
      const outcome = cancelOrder(record, "customer", { now, newTransactionId });
      if (outcome.kind === "already") return answerOf(record);
      requireVersion(headers["if-match"], order.version);
      if (outcome.kind === "refused") {
        throw new AppError("invalid_transition", {
          message: "This order can no longer be cancelled online. Please contact us.",
          details: { from: order.status, to: "cancelled", allowed: outcome.allowed },
        });
      }
      await table.transact(changeOrder(order, outcome.change, now).writes);
      return answerOf(changed(record, outcome.change));
    });
  },
});

export const routes = [listOrders, getOrder, cancelOwnOrder];
