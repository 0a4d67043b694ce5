import { describe, expect, test } from "vitest";
import { MetricChanges } from "#shared/queues/queue-messages.ts";
import { changeMessages, messageTo } from "#functions/on-change/stream/effects.ts";
import type { ItemChange } from "#shared/storage/stream.ts";
import { aStockRow } from "#test/support/shop/commerce.ts";

const change = (before: object | undefined, after: object | undefined, pk = "any"): ItemChange => ({
  pk,
  before: before && { ...before },
  after: after && { ...after },
});
const event = (number: number) => ({
  entity: "analytics_event",
  session_id: "s",
  event_id: `e${number}`,
  name: "page_view",
  day: "2026-11-21",
  occurred_at: "2026-11-21T06:30:00.000Z",
  received_at: "2026-11-21T06:30:01.000Z",
  page: null,
});
const order = { entity: "order", id: "ord_1", status: "confirmed", paid: 0, refunded: 0 };
const message = { entity: "message", id: "msg_1", conversation_id: "conv_1", state: "queued" };
const aReturn = { entity: "order_return", id: "ret_1", status: "requested" };
const shipment = { entity: "order_shipment", id: "shp_1", delivered_at: null };
const stock = {
  entity: "stock",
  ...aStockRow({ id: "var_1", available: 5, low_stock_threshold: 2 }),
};

describe("the metrics consumer", () => {
  test.each<[string, ItemChange, object]>([
    ["an order that is placed", change(undefined, order), { kind: "order", id: "ord_1" }],
    [
      "an order that is paid",
      change(order, { ...order, paid: 100 }),
      { kind: "order", id: "ord_1" },
    ],
    [
      "a return that is opened",
      change(undefined, aReturn, "ORDER#ord_1"),
      { kind: "order", id: "ord_1" },
    ],
    [
      "a return that is approved",
      change(aReturn, { ...aReturn, status: "approved" }, "ORDER#ord_1"),
      { kind: "order", id: "ord_1" },
    ],
    [
      "a shipment that arrives",
      change(shipment, { ...shipment, delivered_at: "2026-11-21T06:30:00.000Z" }, "ORDER#ord_1"),
      { kind: "order", id: "ord_1" },
    ],
    [
      "a message that is read",
      change(message, { ...message, state: "read" }),
      { kind: "message", id: "msg_1", conversation_id: "conv_1" },
    ],
    [
      "stock that runs low",
      change(stock, { ...stock, available: 2 }),
      { kind: "stock", id: "var_1" },
    ],
    [
      "stock that runs out",
      change({ ...stock, available: 1 }, { ...stock, available: 0 }),
      { kind: "stock", id: "var_1" },
    ],
  ])("receives a message about %s", (_, item, expected) => {
    expect(messageTo("metrics", item)).toEqual(expected);
  });

  test.each<[string, ItemChange]>([
    ["a repeated event", change(event(1), event(1))],
    ["an expired event", change(event(1), undefined)],
    ["a note on an order", change(order, { ...order, notes: "Ring first" })],
    ["a sale that leaves the stock above the threshold", change(stock, { ...stock, available: 4 })],
    ["new stock above the threshold", change(undefined, stock)],
    ["a message that has moved to another conversation", change(message, undefined)],
    ["a shipment that is prepared", change(undefined, shipment)],
    ["a shipment that leaves", change(shipment, { ...shipment, status: "shipped" })],
    ["a timeline entry", change(undefined, { entity: "order_timeline" })],
  ])("receives no message about %s", (_, item) => {
    expect(messageTo("metrics", item)).toBeUndefined();
  });

  test("receives the search of an event, and accepts messages of an earlier release, which have none", () => {
    const search = { query: "sofa", results: 3 };
    const sent = messageTo("metrics", change(undefined, { ...event(1), name: "search", search }));
    expect(sent).toMatchObject({ kind: "event", search, search_query: null });
    const { search: _search, search_query: _query, ...earlier } = sent as Record<string, unknown>;
    const { changes } = MetricChanges.parse({ changes: [earlier] });
    expect(changes).toEqual([{ ...earlier, search: null, search_query: null }]);
  });

  test("receives messages with up to forty changes each, in which several changes of one order count as one", () => {
    const events = Array.from({ length: 85 }, (_, number) => change(undefined, event(number)));
    const twice = [change(undefined, order), change(order, { ...order, status: "cancelled" })];
    const messages = changeMessages(
      "metrics",
      [...events, ...twice].flatMap((item) => messageTo("metrics", item) ?? []),
    );
    expect(messages.map(({ changes }) => changes.length)).toEqual([40, 40, 6]);
  });
});
