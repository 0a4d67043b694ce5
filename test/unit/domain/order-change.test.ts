import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeOrder, lapseOrder } from "#shared/domain/lapse-order.ts";
import { changeOf } from "#shared/domain/order-change.ts";
import type { Transaction } from "#shared/domain/payment.ts";
import { owedBySku, piecesOf } from "#shared/domain/order-pieces.ts";
import { OrderStatus, ShipmentStatus, canMove, orderMachine } from "#shared/domain/order-states.ts";
import { anId, noon } from "#test/support/commerce.ts";
import { aCharge, aRecord, aRefund, aShipment } from "#test/support/order-record.ts";

const later = (ms: number) => new Date(noon.getTime() + ms);

describe("a change", () => {
  test("moves an order only where its machine goes", () => {
    for (const from of OrderStatus.options) {
      for (const to of OrderStatus.options) {
        const move = () => changeOf(aRecord({ status: from }), { set: { status: to } }, noon);
        if (from === to || canMove(orderMachine, from, to)) {
          expect(move().order).toMatchObject({ status: to, version: 2 });
        } else expect(move).toThrow(TypeError);
      }
    }
  });

  test("reckons what is paid from the ledger, whatever the order said", () => {
    const record = aRecord({ paid: 5, refunded: 7 }, { transactions: [aCharge()] });
    const refund = aRefund({ amount: 400 });
    expect(changeOf(record, { transactions: [refund] }, noon).order).toMatchObject({
      paid: 1_000,
      refunded: 400,
      payment_status: "partially_refunded",
    });
  });

  test("is told below the one before, though its call began earlier", () => {
    const entry = { type: "note", message: "Hello.", public: false };
    const { order, entries } = changeOf(
      aRecord({ updated_at: later(5).toISOString() }),
      { entries: [entry] },
      noon,
    );
    const at = later(5).toISOString();
    expect([order.updated_at, entries]).toEqual([at, [{ ...entry, at }]]);
  });

  test("tells staff of what it flags", () => {
    const attention = { code: "overpaid", message: "Too much." } as const;
    const { order, tells } = changeOf(aRecord(), { attention: [attention] }, noon);
    expect(order.attention).toEqual([{ ...attention, at: noon.toISOString() }]);
    expect(tells).toEqual([
      {
        type: "order_attention",
        order_id: order.id,
        code: "overpaid",
        at: noon.toISOString(),
      },
    ]);
  });
});

test("a surplus is flagged until it was given back", () => {
  const at = noon.toISOString();
  const order = aRecord().order;
  const flags = [
    { code: "overpaid", message: "Too much.", at },
    { code: "refund_to_make", message: "By hand.", at },
  ] as const;
  const amount = order.totals.grand_total + 500;
  const record = aRecord({ attention: [...flags] }, { transactions: [aCharge({ amount })] });
  const codesAfter = (refund: Partial<Transaction>) =>
    changeOf(record, { transactions: [aRefund({ amount: 500, ...refund })] }, noon).order.attention;
  expect(codesAfter({ state: "pending" })).toEqual(flags);
  expect(codesAfter({ amount: 400 })).toEqual(flags);
  expect(codesAfter({})).toEqual([flags[1]]);
});

describe("where a line's pieces are", () => {
  const id = anId("line");
  const someShipments = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom(...ShipmentStatus.options),
    }),
    { maxLength: 3 },
  );
  const someRefunds = fc.array(
    fc.record({
      state: fc.constantFrom("pending" as const, "succeeded" as const, "failed" as const),
      withdrawn: fc.nat(1),
      kept: fc.nat(2),
    }),
    { maxLength: 4 },
  );

  test("adds up to what was ordered, whatever was sent and given back", () => {
    fc.assert(
      fc.property(someShipments, someRefunds, (sent, given) => {
        const shipments = sent.map(({ quantity, status }, index) =>
          aShipment({ id: `shp_${index}`, status, items: [{ id, quantity }] }),
        );
        const transactions = given.map(({ state, withdrawn, kept }, index) =>
          aRefund({
            id: `txn_${index}`,
            state,
            items: [{ id, quantity: Math.max(1, withdrawn + kept), withdrawn, returned: 0 }],
          }),
        );
        const record = aRecord({}, { shipments, transactions }, [{ quantity: 20 }]);
        const pieces = piecesOf(record).get(id)!;
        expect(pieces.withdrawn + pieces.away + pieces.owed).toBe(20);
        expect(pieces.unpacked).toBeLessThanOrEqual(pieces.owed);
        expect(owedBySku(record).get("SKU-1")).toBe(pieces.owed);
        // A refund that bounced gave nothing back, but what went to the shelf is there.
        const kept = transactions.filter(({ state }) => state !== "failed");
        const sum = (rows: typeof transactions, of: "quantity" | "withdrawn") =>
          rows.flatMap(({ items }) => items).reduce((total, item) => total + item[of], 0);
        expect(pieces.refunded).toBe(sum(kept, "quantity"));
        expect(pieces.withdrawn).toBe(sum(transactions, "withdrawn"));
      }),
    );
  });

  test("what is made to order is owed, and holds no stock", () => {
    const record = aRecord({}, {}, [{ quantity: 2, sku: null }]);
    expect(piecesOf(record).get(id)).toMatchObject({ owed: 2 });
    expect(owedBySku(record).size).toBe(0);
  });
});

describe("time", () => {
  const expires_at = noon.toISOString();

  test("lets an order lapse that nobody paid, with its goods free again, and no other", () => {
    for (const status of OrderStatus.options) {
      const change = lapseOrder(aRecord({ status, expires_at }), noon);
      expect(change?.order.status).toBe(status === "pending_payment" ? "expired" : undefined);
    }
    const waiting = aRecord({ status: "pending_payment", expires_at });
    expect(lapseOrder(waiting, later(-1))).toBeUndefined();
    expect(lapseOrder(waiting, noon)?.stock.get("SKU-1")?.add).toMatchObject({ reserved: -1 });
    const partPaid = aRecord({ status: "pending_payment", expires_at: null });
    expect(lapseOrder(partPaid, later(1e12))).toBeUndefined();
  });

  test("completes what was delivered so many days before", () => {
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
