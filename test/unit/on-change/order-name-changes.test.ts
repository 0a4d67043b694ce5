import { describe, expect, test } from "vitest";
import { changeMessages, messageTo } from "#functions/on-change/stream/effects.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const order = { entity: "order", ...aPlacedOrder() };
const { customer, addresses } = order;
const change = (before: object | undefined, after: object | undefined) => ({
  pk: "any",
  before: before && { ...before },
  after: after && { ...after },
});

const message = { changes: [{ id: order.id }] };

describe("the consumer that indexes the names of orders", () => {
  test.each([
    ["a new order", change(undefined, order)],
    [
      "a changed name of the buyer",
      change(order, { ...order, customer: { ...customer, name: "Mira" } }),
    ],
    [
      "a changed recipient",
      change(order, {
        ...order,
        addresses: { ...addresses, shipping: { ...addresses.shipping, name: "Mira" } },
      }),
    ],
  ])("receives a message about %s", (_what, item) => {
    const names = [item, item].flatMap((each) => messageTo("orderNames", each) ?? []);
    expect(changeMessages("orderNames", names)).toEqual([message]);
  });

  test.each([
    ["a changed status", change(order, { ...order, status: "confirmed" })],
    ["a changed phone", change(order, { ...order, customer: { ...customer, phone: "+911" } })],
    ["a deleted order", change(order, undefined)],
    ["a new timeline entry", change(undefined, { entity: "order_timeline", id: "x" })],
  ])("receives no message about %s", (_what, item) => {
    expect(messageTo("orderNames", item)).toBeUndefined();
  });
});
