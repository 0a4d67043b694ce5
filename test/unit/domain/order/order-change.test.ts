import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeOrder, expireOrder } from "#shared/domain/order/status/order-timers-after.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import { unsentByStock, unitsOf } from "#shared/domain/order/ledger/order-units.ts";
import {
  OrderStatus,
  ShipmentStatus,
  canMove,
  orderMachine,
} from "#shared/domain/order/status/order-states.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import {
  aChange,
  aCharge,
  aRecord,
  aRefund,
  aShipment,
  after,
} from "#test/support/shop/order-record.ts";
import { flagId } from "#shared/domain/order/order.ts";

const later = (ms: number) => new Date(noon.getTime() + ms);

describe("an order change", () => {
  test("makes only the transitions of the state machine", () => {
    for (const from of OrderStatus.options) {
      for (const to of OrderStatus.options) {
        const move = () => changeOf(aRecord({ status: from }), { set: { status: to } }, noon);
        if (from === to || canMove(orderMachine, from, to)) {
          expect(move().order).toMatchObject({ status: to, version: 2 });
        } else expect(move).toThrow(TypeError);
      }
    }
  });

  test("computes what was paid, refunded and received from the ledger", () => {
    const record = aRecord({ paid: 5, refunded: 7 }, { transactions: [aCharge()] });
    const refunds = [
      aRefund({ amount: 400 }),
      aRefund({ id: "txn_2", amount: 100, state: "pending" }),
      aRefund({ id: "txn_3", amount: 50, state: "failed" }),
    ];
    expect(changeOf(record, { transactions: refunds }, noon).order).toMatchObject({
      paid: 1_000,
      refunded: 400,
      received: 500,
      payment_status: "partially_paid",
    });
  });

  test("confirms an unpaid order that it leaves with nothing to pay", () => {
    const record = aRecord(
      { totals: { ...aRecord().order.totals, shipping: 0, grand_total: 1_000 } },
      { transactions: [aCharge({ amount: 700 })] },
      [{ quantity: 1, line_total: 1_000 }],
    );
    const lowered = (amount: number) =>
      changeOf(record, { reduced: [{ id: anId("line"), amount }] }, noon);
    expect(lowered(299).order).toMatchObject({ status: "pending_payment", current: 701 });
    const { order, events } = lowered(300);
    expect(order).toMatchObject({ status: "confirmed", payment_status: "paid", expires_at: null });
    expect(events).toEqual([{ type: "order_paid", order_id: order.id }]);
  });

  test("dates its timeline entry no earlier than the previous change, even if the request of this change started earlier", () => {
    const entry = { type: "note", message: "Hello.", public: false };
    const { order, entries } = changeOf(
      aRecord({ updated_at: later(5).toISOString() }),
      { entries: [entry] },
      noon,
    );
    const at = later(5).toISOString();
    expect([order.updated_at, entries]).toEqual([at, [{ ...entry, at }]]);
  });

  test("that adds an attention flag sends a mail to staff", () => {
    const attention = { code: "overpaid", message: "Too much." } as const;
    const { order, events } = changeOf(aRecord(), { attention: [attention] }, noon);
    expect(order.attention).toEqual([{ ...attention, about: null, at: noon.toISOString() }]);
    expect(events).toEqual([
      {
        type: "order_attention",
        order_id: order.id,
        code: "overpaid",
        at: noon.toISOString(),
      },
    ]);
  });
});

test("an overpaid order is flagged until the excess is refunded", () => {
  const at = noon.toISOString();
  const order = aRecord().order;
  const flags = [
    { code: "overpaid", message: "Too much.", about: null, at },
    { code: "refund_to_make", message: "By hand.", about: null, at },
  ] as const;
  const amount = order.totals.grand_total + 500;
  const record = aRecord({ attention: [...flags] }, { transactions: [aCharge({ amount })] });
  const codesAfter = (refund: Partial<Transaction>) =>
    changeOf(record, { transactions: [aRefund({ amount: 500, ...refund })] }, noon).order.attention;
  expect(codesAfter({ state: "failed" })).toEqual(flags);
  expect(codesAfter({ amount: 400 })).toEqual(flags);
  expect(codesAfter({ state: "pending" })).toEqual([flags[1]]);
  expect(codesAfter({})).toEqual([flags[1]]);
});

describe("the units of an order line", () => {
  const id = anId("line");
  const someShipments = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom(...ShipmentStatus.options),
    }),
    { maxLength: 3 },
  );
  const someChanges = fc.array(
    fc.record({ taken_off: fc.nat(1), came_back: fc.nat(1), undelivered: fc.boolean() }),
    { maxLength: 4 },
  );

  test("are each in one place after any shipments and changes", () => {
    fc.assert(
      fc.property(someShipments, someChanges, (sent, moves) => {
        const shipments = sent.map(({ quantity, status }, index) =>
          aShipment({ id: `shp_${index}`, status, items: [{ id, quantity }] }),
        );
        const changes = moves.map(({ taken_off, came_back, undelivered }) =>
          aChange({
            taken_off: taken_off > 0 ? [{ id, quantity: taken_off }] : [],
            came_back: came_back > 0 ? [{ id, quantity: came_back, undelivered }] : [],
          }),
        );
        const record = aRecord({}, { shipments, changes }, [{ quantity: 20 }]);
        const { ordered, ...places } = unitsOf(record).get(id)!;
        expect(Object.values(places).reduce((sum, units) => sum + units, 0)).toBe(ordered);
        expect(unsentByStock(record).get(anId("var"))).toBe(places.open + places.packed);
      }),
    );
  });

  test("reserve no stock if they are made to order, but must still be shipped", () => {
    const record = aRecord({}, {}, [{ quantity: 2, sku: null }]);
    expect(unitsOf(record).get(id)).toMatchObject({ open: 2 });
    expect(unsentByStock(record).size).toBe(0);
  });
});

describe("an order timer", () => {
  const expires_at = noon.toISOString();

  test("expires only orders that await payment, and releases their stock", () => {
    for (const status of OrderStatus.options) {
      const change = expireOrder(aRecord({ status, expires_at }), noon);
      expect(change?.order.status).toBe(status === "pending_payment" ? "expired" : undefined);
    }
    const waiting = aRecord({ status: "pending_payment", expires_at });
    expect(expireOrder(waiting, later(-1))).toBeUndefined();
    expect(expireOrder(waiting, noon)?.stock.get(anId("var"))?.add).toMatchObject({ reserved: -1 });
    const partPaid = aRecord({ status: "pending_payment", expires_at: null });
    expect(expireOrder(partPaid, later(1e12))).toBeUndefined();
  });

  test("completes orders some days after delivery", () => {
    const delivered_at = noon.toISOString();
    const record = aRecord({ status: "delivered", delivered_at });
    const day = 86_400_000;
    expect(completeOrder(record, 7, later(7 * day - 1))).toBeUndefined();
    expect(completeOrder(record, 7, later(7 * day))?.order.status).toBe("completed");
    for (const status of OrderStatus.options.filter((each) => each !== "delivered")) {
      const other = aRecord({ status, delivered_at });
      expect(completeOrder(other, 7, later(8 * day))).toBeUndefined();
    }
  });
});

test("a flag stands once for what it is about, and goes when the refund that it asks for is made", () => {
  const record = aRecord({}, { transactions: [aCharge({ amount: 900 })] });
  const rows = ["txn_1", "txn_2"].map((id) => aRefund({ id, amount: 10, state: "pending" }));
  const flag = (about: string) => ({
    code: "refund_to_make" as const,
    message: "By hand.",
    about,
  });
  const flagged = after(
    record,
    changeOf(record, { transactions: rows, attention: rows.map(({ id }) => flag(id)) }, noon),
  );
  const idsOf = ({ order }: typeof record) => order.attention.map(flagId);
  const change = changeOf(record, { attention: rows.map(({ id }) => flag(id)) }, noon);
  expect(change.events).toMatchObject([{ type: "order_attention", code: "refund_to_make" }]);
  expect(idsOf(flagged)).toEqual(["refund_to_make:txn_1", "refund_to_make:txn_2"]);
  const again = after(flagged, changeOf(flagged, { attention: [flag("txn_1")] }, noon));
  expect(idsOf(again)).toEqual(["refund_to_make:txn_2", "refund_to_make:txn_1"]);
  const made = { ...rows[1]!, state: "succeeded" as const };
  const end = after(again, changeOf(again, { transactions: [made] }, noon));
  expect(idsOf(end)).toEqual(["refund_to_make:txn_1"]);
});
