import { describe, expect, test } from "vitest";
import { type Metrics, metricOf } from "#shared/domain/metrics/metrics.ts";
import { returnedUnits, salesMetrics, slotMetrics } from "#shared/domain/metrics/insights.ts";
import { orderTally } from "#shared/domain/metrics/order-metrics.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import {
  aChange,
  aCharge,
  aDeposit,
  aRecord,
  aRefund,
  aReturn,
  aShipment,
} from "#test/support/shop/order-record.ts";
import { aSlot } from "#test/support/shop/settings.ts";

const totals = { ...aRecord().order.totals, grand_total: 1_000 };
const tallyOf = (order: Partial<StoredOrder>, transactions: Transaction[]) => {
  const tally: Readonly<Record<string, Metrics>> = orderTally(
    aRecord({ totals, ...order }, { transactions }),
    "Asia/Kolkata",
  );
  return (row: string) => tally[row] ?? {};
};
const placed = "sales#2026-11-21";
const [dayTwo, dayThree] = ["2026-11-22T10:00:00.000Z", "2026-11-23T10:00:00.000Z"];

describe("money received", () => {
  test("counts on the day of each payment, whatever becomes of the order", () => {
    const ledger = [
      aCharge({ id: "txn_1", amount: 200, at: dayTwo }),
      aCharge({ id: "txn_2", amount: 800, at: dayThree }),
      aCharge({ id: "txn_3", amount: 500, at: dayThree, state: "failed" }),
      aRefund({ id: "txn_4", amount: 1_000, at: dayThree }),
    ];
    for (const status of ["confirmed", "cancelled", "returned"] as const) {
      const metrics = tallyOf({ status, paid: 1_000, refunded: 1_000 }, ledger);
      expect(metrics("sales#2026-11-22")["received"]).toBe(200);
      expect(metrics("sales#2026-11-23")["received"]).toBe(800);
    }
  });

  test("and its refunds count on their own days, also when the refund follows a cancellation", () => {
    const ledger = [
      aCharge({ id: "txn_1", amount: 200, at: dayTwo }),
      aRefund({ id: "txn_2", amount: 150, at: dayThree }),
      aRefund({ id: "txn_3", amount: 50, at: dayThree, state: "pending" }),
    ];
    const refundedOn = (status: StoredOrder["status"]) =>
      tallyOf({ status, paid: 200, refunded: 150 }, ledger)("sales#2026-11-23");
    expect(refundedOn("confirmed")).toEqual({ refunds_paid: 150, refunded: 150 });
    // The sale itself no longer counts, so its refund lowers no revenue.
    expect(refundedOn("cancelled")).toEqual({ refunds_paid: 150 });
    expect(refundedOn("expired")).toEqual({ refunds_paid: 150 });
  });

  test("that staff recorded counts on the day when it was received", () => {
    const ledger = [aCharge({ amount: 1_000, at: dayThree, received_on: "2026-11-22" })];
    const metrics = tallyOf({ status: "confirmed", paid: 1_000 }, ledger);
    expect(metrics("sales#2026-11-22")).toMatchObject({ received: 1_000 });
  });
});

test("parts of equal size are listed by name, whatever the sequence in which they were counted", () => {
  const range = { from: "2026-11-21", to: "2026-11-21" };
  const listed = (...faults: string[]) => {
    const counted = faults.map((fault) => [metricOf("returnedBy", fault), 1] as const);
    const rows = new Map([["2026-11-21", Object.fromEntries(counted)]]);
    return returnedUnits(rows, range).by_fault.map(({ fault }) => fault);
  };
  expect(listed("shop", "carrier", "factory")).toEqual(["carrier", "factory", "shop"]);
});

describe("what came back by a return", () => {
  const inspection = { accepted: 0, goods: "scrap", refused: 0, missing: 0 } as const;
  const returns = [
    aReturn({
      id: "ret_1",
      status: "refunded",
      items: [
        {
          quantity: 2,
          reason: "damaged",
          fault: "carrier",
          inspection: { ...inspection, accepted: 2 },
        },
      ],
    }),
    aReturn({
      id: "ret_2",
      status: "repaired",
      items: [{ inspection: { ...inspection, accepted: 1, goods: "repair" } }],
    }),
    aReturn({ id: "ret_3", status: "requested" }),
  ];
  const record = (order: Partial<StoredOrder>) =>
    aRecord({ totals, ...order }, { returns }, [{ quantity: 4, line_total: 1_000 }]);
  const tallied = (order: Partial<StoredOrder>): Readonly<Record<string, Metrics>> =>
    orderTally(record(order), "Asia/Kolkata");

  test("counts on the day of the sale, by reason, fault and product", () => {
    const tally = tallied({ status: "delivered" });
    expect(tally[placed]).toMatchObject({
      units: 4,
      returned: 2,
      [metricOf("returnedFor", "damaged")]: 2,
      [metricOf("returnedBy", "carrier")]: 2,
    });
    const product = record({}).order.items[0]!.product_id!;
    for (const row of ["products#2026-11-21", "products#2026-11"]) {
      expect(tally[row]).toMatchObject({
        [metricOf("sold", product)]: 4,
        [metricOf("returned", product)]: 2,
      });
    }
  });

  test("does not count while the order is no sale, but its open returns do", () => {
    for (const status of ["delivered", "cancelled"] as const) {
      const tally = tallied({ status });
      expect(tally["standing#now"]).toMatchObject({
        returns_requested: 1,
        returns_to_send_back: 1,
      });
      expect(tally["standing#now"]).not.toHaveProperty("returns_refunded");
    }
    expect(tallied({ status: "cancelled" })[placed]).not.toHaveProperty("returned");
  });
});

test("a delivery counts on the day it arrived, and as on the promised day if that is the day of its slot", () => {
  const slot = aSlot({ date: "2026-11-22" });
  const shipments = [
    // 23:30 on the promised day, and half past midnight on the day after, in Kolkata.
    aShipment({ id: "shp_1", slot, delivered_at: "2026-11-22T18:00:00.000Z" }),
    aShipment({ id: "shp_2", slot, delivered_at: "2026-11-22T19:00:00.000Z" }),
    aShipment({ id: "shp_3", slot, delivered_at: null }),
    aShipment({ id: "shp_4", slot: null, delivered_at: "2026-11-22T10:00:00.000Z" }),
  ];
  const tally = orderTally(aRecord({ status: "shipped" }, { shipments }), "Asia/Kolkata");
  expect(tally["sales#2026-11-22"]).toEqual({ slot_deliveries: 1, slot_deliveries_on_day: 1 });
  expect(tally["sales#2026-11-23"]).toEqual({ slot_deliveries: 1 });
  const shown = (all: number, onDay: number) =>
    slotMetrics((name) => (name === "slot_deliveries" ? all : onDay)).on_day_bps;
  expect([shown(3, 2), shown(0, 0)]).toEqual([6_667, null]);
});

describe("a deposit", () => {
  const ledger = [aCharge({ amount: 200, at: dayTwo })];
  const inParts = (order: Partial<StoredOrder>, rows = ledger) =>
    tallyOf({ deposit: aDeposit(), paid: 200, ...order }, rows);

  test("is held, and its balance due, on the day it was paid; the sale counts in full on the day it was placed", () => {
    const metrics = inParts({ status: "confirmed" });
    expect(metrics("sales#2026-11-22")).toEqual({
      received: 200,
      deposits_held: 200,
      balances_due: 800,
    });
    expect(metrics(placed)).toMatchObject({ orders: 1, revenue: 1_000 });
    expect(metrics("standing#now")).toMatchObject({
      deposits_held: 200,
      deposits_held_orders: 1,
      balances_due: 800,
      balances_due_orders: 1,
    });
  });

  test("is no longer held once the order is dispatched, while its balance may still be due", () => {
    const metrics = inParts({ status: "shipped" })("standing#now");
    expect(metrics).toMatchObject({ balances_due: 800 });
    expect(metrics).not.toHaveProperty("deposits_held");
  });

  test("of a cancelled order is not held, and its balance not due", () => {
    const metrics = inParts({ status: "cancelled" });
    expect(metrics("standing#now")).toEqual({ orders_cancelled: 1 });
    expect(metrics("sales#2026-11-22")).toEqual({ received: 200 });
  });

  test("leaves no balance due once everything is paid", () => {
    const rows = [...ledger, aCharge({ id: "txn_2", amount: 800, at: dayThree })];
    const metrics = inParts({ status: "confirmed", paid: 1_000 }, rows)("standing#now");
    expect(metrics).toMatchObject({ deposits_held: 200 });
    expect(metrics).not.toHaveProperty("balances_due");
  });

  test("that is not paid is neither held nor has a balance", () => {
    const metrics = inParts({ status: "pending_payment", paid: 0 }, [])("standing#now");
    expect(metrics).toEqual({ orders_pending_payment: 1, unpaid: 1, unpaid_amount: 1_000 });
  });
});

test("changes count on their own days, what they added apart from what they lowered, and the sale stays as placed", () => {
  const [line] = aRecord().order.items;
  const chair = { ...line!, id: "line_1", quantity: 2, line_total: 1_000 };
  const second = "chg_2";
  const third = "chg_3";
  const lamp = { ...line!, id: "line_2", quantity: 1, line_total: 700, change_id: third };
  const items = [chair, lamp];
  const changes = [
    aChange({ id: second, at: dayTwo, reduced: [{ id: "line_1", amount: 100 }] }),
    aChange({
      id: third,
      at: dayThree,
      came_back: [{ id: "line_1", quantity: 1, undelivered: false }],
      added: [{ id: "line_2", quantity: 1 }],
      shipping: { method: "white_glove", amount: 250 },
    }),
  ];
  const sale = { ...totals, grand_total: 1_050, shipping: 50 };
  const tallied = (status: StoredOrder["status"]): Readonly<Record<string, Metrics>> => {
    const { order, rows } = aRecord({ status, totals: sale }, { changes });
    return orderTally({ order: { ...order, items }, rows }, "Asia/Kolkata");
  };
  const tally = tallied("delivered");
  expect(tally["sales#2026-11-22"]).toEqual({ changes_lowered: 100 });
  expect(tally["sales#2026-11-23"]).toEqual({ changes_added: 900, changes_lowered: 450 });
  expect(tally[placed]).toMatchObject({ revenue: 1_050, units: 2 });
  expect(tallied("cancelled")).not.toHaveProperty(["sales#2026-11-22"]);
});

test("the average order is rounded to a minor unit, and zero if there are no orders", () => {
  const averageOf = (sales: Metrics) => salesMetrics((name) => sales[name] ?? 0).average_order;
  expect(averageOf({ revenue: 1_000, orders: 3 })).toBe(333);
  expect(averageOf({ revenue: 0, orders: 0 })).toBe(0);
});
