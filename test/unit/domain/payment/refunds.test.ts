import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeRefund } from "#shared/domain/payment/refund/complete-refund.ts";
import type { OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import { amountDue } from "#shared/domain/payment/owing.ts";
import { type Transaction, moneyMoved, receivedIn } from "#shared/domain/payment/payment.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { refundRows } from "#shared/domain/payment/refund/refunds.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aRecord,
  aRefund,
  aShipment,
  after,
  aMoneyContext,
} from "#test/support/shop/order-record.ts";

const at = noon.toISOString();
const ids = () => ({ newId: aMoneyContext().newTransactionId, at });
const plan = { items: [], reason: "Scratched", reference: null };

const methods = ["gateway", "cod", "bank_transfer"] as const;
const someCharges = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 1_000 }),
    method: fc.constantFrom(...methods),
    state: fc.constantFrom("succeeded" as const, "succeeded" as const, "failed" as const),
  }),
  { minLength: 1, maxLength: 5 },
);
const ledgerOf = (charges: readonly Partial<Transaction>[]) =>
  charges.map((each, index) => aCharge({ ...each, id: `txn_${index}` }));

describe("a refund over several charges", () => {
  test("splits the requested amount without exceeding any charge, and uses gateway charges first", () => {
    fc.assert(
      fc.property(someCharges, fc.array(fc.nat(1_000), { maxLength: 6 }), (charges, asked) => {
        const ledger = ledgerOf(charges);
        const { newId } = ids();
        for (const want of asked) {
          const amount = Math.min(want, receivedIn(ledger));
          const rows = refundRows(ledger, { ...plan, amount }, { newId, at });
          expect(rows.reduce((sum, row) => sum + row.amount, 0)).toBe(amount);
          expect(rows.every((row) => row.amount > 0)).toBe(true);
          expect(new Set(rows.map((row) => row.batch_id)).size).toBeLessThanOrEqual(1);
          const byHand = rows.findIndex(({ method }) => method !== "gateway");
          if (byHand >= 0) {
            expect(rows.slice(byHand).every(({ method }) => method !== "gateway")).toBe(true);
          }
          ledger.push(...rows);
          for (const { id, amount: brought, state } of ledger) {
            const back = ledger.filter(({ charge_id }) => charge_id === id);
            const sum = back.reduce((total, row) => total + row.amount, 0);
            expect(sum).toBeLessThanOrEqual(state === "succeeded" ? brought : 0);
          }
        }
        const rest = receivedIn(ledger);
        expect(() => refundRows(ledger, { ...plan, amount: rest + 1 }, { newId, at })).toThrow(
          RangeError,
        );
      }),
    );
  });

  test("is pending until the gateway confirms it or staff record its reference", () => {
    const ledger = ledgerOf([
      { method: "bank_transfer", amount: 10 },
      { method: "gateway", amount: 10 },
    ]);
    const states = (reference: string | null, by: "cod" | null = null) =>
      refundRows(ledger, { ...plan, amount: 15, reference, by }, ids()).map(
        ({ method, state, amount }) => [method, state, amount],
      );
    expect(states(null)).toEqual([
      ["gateway", "pending", 10],
      ["bank_transfer", "pending", 5],
    ]);
    expect(states("N1")).toEqual([
      ["gateway", "pending", 10],
      ["bank_transfer", "succeeded", 5],
    ]);
    expect(states("N1", "cod").map(([method, state]) => [method, state])).toEqual([
      ["cod", "succeeded"],
      ["cod", "succeeded"],
    ]);
  });
});

const input = (of: Partial<RefundInput>): RefundInput =>
  RefundInput.parse({ reason: "Scratched", ...of });

describe("a refund of order lines", () => {
  test("refunds each line's exact total, in whatever portions it is made", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        (line_total, portions) => {
          const quantity = portions.reduce((sum, portion) => sum + portion, 0);
          let record = aRecord(
            { status: "delivered" },
            {
              transactions: [aCharge({ amount: 1e12 })],
              shipments: [
                aShipment({ status: "delivered", items: [{ id: anId("line", 1), quantity }] }),
              ],
            },
            [{ quantity, line_total }],
          );
          const line = record.order.items[0]!;
          const context = aMoneyContext();
          for (const portion of portions) {
            const items = [{ id: line.id, quantity: portion }];
            const planned = planRefund(record, input({ items }), context);
            // The line is so cheap that the refund of some units would be 0.
            if (planned.kind === "refused" && line_total < quantity) return;
            if (planned.kind !== "planned") throw new Error(JSON.stringify(planned));
            record = after(record, planned.change);
          }
          const back = record.rows.transactions.filter(({ type }) => type === "refund");
          expect(back.reduce((sum, { amount }) => sum + amount, 0)).toBe(line_total);
          const more = planRefund(
            record,
            input({ items: [{ id: line.id, quantity: 1 }] }),
            context,
          );
          expect(more.kind).toBe("refused");
        },
      ),
    );
  });

  test('is refused with the message "There is nothing to refund" if everything was refunded', () => {
    const record = aRecord({}, { transactions: [aCharge(), aRefund({ state: "succeeded" })] });
    expect(receivedIn(record.rows.transactions)).toBe(0);
    expect(planRefund(record, input({ amount: 1 }), aMoneyContext())).toMatchObject({
      problems: [{ path: "amount", message: expect.stringMatching(/^There is nothing to refund/) }],
    });
  });

  test("is refused with the id of a pending refund if that refund covers all that is left", () => {
    const messageFor = (method: Transaction["method"]) => {
      const back = aRefund({ id: "txn_back", state: "pending", method });
      const record = aRecord({}, { transactions: [aCharge(), back] });
      const planned = planRefund(record, input({ amount: 1 }), aMoneyContext());
      return planned.kind === "refused" ? planned.problems[0]?.message : undefined;
    };
    expect(messageFor("bank_transfer")).toMatch(/the refund txn_back waits for its reference/);
    expect(messageFor("gateway")).toMatch(/has a pending refund\.$/);
  });

  describe("pays what was received beyond the value of the order", () => {
    const totals = { ...aRecord().order.totals, shipping: 100, grand_total: 2_100 };
    const lines = [{ quantity: 2, line_total: 2_000 }];
    const items = [{ id: anId("line"), quantity: 1 }];
    const sent = [aShipment({ status: "delivered", items: [{ id: anId("line"), quantity: 2 }] })];
    /** An order of two units for 2,000 with delivery for 100. */
    const anOrder = (paid: number, shipments: Shipment[] = sent) =>
      aRecord(
        { status: shipments.length > 0 ? "delivered" : "confirmed", totals },
        { transactions: paid === 0 ? [] : [aCharge({ amount: paid })], shipments },
        lines,
      );
    const refund = (record: OrderRecord, of: Partial<RefundInput>) => {
      const planned = planRefund(record, input(of), aMoneyContext());
      if (planned.kind !== "planned") return planned;
      const { order, transactions } = planned.change;
      const paid = transactions.reduce((sum, { amount }) => sum + amount, 0);
      return { paid, current: order.current, due: amountDue(order) };
    };
    const refused = (path: string, message: RegExp) => ({
      kind: "refused",
      problems: [{ path, message: expect.stringMatching(message) }],
    });

    test("so units of an order of which nothing was paid only lower what is due", () => {
      expect(refund(anOrder(0), { items })).toEqual({ paid: 0, current: 1_100, due: 1_100 });
      expect(refund(anOrder(500, []), { items })).toEqual({ paid: 0, current: 1_100, due: 600 });
      expect(refund(anOrder(1_500), { items })).toEqual({ paid: 400, current: 1_100, due: 0 });
      expect(refund(anOrder(2_100), { items })).toEqual({ paid: 1_000, current: 1_100, due: 0 });
    });

    test("and what an amount has beyond it lowers the price", () => {
      expect(refund(anOrder(2_400), { amount: 300 })).toMatchObject({ paid: 300, current: 2_100 });
      expect(refund(anOrder(2_400), { amount: 350 })).toMatchObject({ paid: 350, current: 2_050 });
      expect(refund(anOrder(2_100), { items, amount: 1_200 })).toMatchObject({
        paid: 1_200,
        current: 900,
      });
    });

    test("unless money is due: then only with pay_again, after which it is due again", () => {
      expect(refund(anOrder(500), { amount: 50 })).toEqual(refused("amount", /^Only ₹0\.00 was/));
      expect(refund(anOrder(500), { amount: 50, pay_again: true })).toEqual({
        paid: 50,
        current: 2_100,
        due: 1_650,
      });
      expect(refund(anOrder(500), { amount: 501, pay_again: true })).toEqual(
        refused("amount", /^At most ₹5\.00 can/),
      );
    });

    test("less than the price of sent units only with keep, which keeps the rest", () => {
      const less = { items, amount: 900 };
      expect(refund(anOrder(2_100), less)).toEqual(refused("amount", /worth ₹10\.00/));
      expect(refund(anOrder(2_100), { ...less, keep: true })).toEqual({
        paid: 900,
        current: 1_200,
        due: 0,
      });
      expect(refund(anOrder(2_100, []), { ...less, keep: true })).toEqual(
        refused("keep", /not sent/),
      );
    });

    test("of everything takes off what was not sent, and cancels an order of which nothing was", () => {
      expect(refund(anOrder(2_100, []), { amount: 2_100 })).toEqual({ kind: "everything" });
      const half = anOrder(2_100, [aShipment({ status: "delivered" })]);
      const planned = planRefund(half, input({ amount: 2_100 }), aMoneyContext());
      expect(planned).toMatchObject({
        change: {
          order: { current: 0 },
          changes: [{ taken_off: [{ id: anId("line"), quantity: 1 }] }],
        },
      });
    });
  });

  const stockChange = (restock: boolean, quantity: number, away: number, packed = 0) => {
    const shipments = [
      ...(away > 0
        ? [aShipment({ status: "delivered", items: [{ id: anId("line"), quantity: away }] })]
        : []),
      ...(packed > 0
        ? [aShipment({ id: "shp_2", items: [{ id: anId("line"), quantity: packed }] })]
        : []),
    ];
    const record = aRecord(
      { status: "confirmed" },
      { transactions: [aCharge({ amount: 1e9 })], shipments },
      [{ quantity: 5, line_total: 5_000 }],
    );
    const items = [{ id: anId("line"), quantity }];
    const planned = planRefund(record, input({ items, restock }), aMoneyContext());
    if (planned.kind === "everything") return planned.kind;
    return planned.kind === "refused"
      ? planned.problems.map(({ path }) => path)
      : planned.change.stock.get(anId("var"))?.add;
  };

  test("takes off units that were not sent, and then restocks those that are back", () => {
    expect(stockChange(false, 5, 2)).toEqual({ on_hand: 0, reserved: -3, available: 3 });
    expect(stockChange(true, 3, 2)).toEqual({ on_hand: 0, reserved: -3, available: 3 });
    expect(stockChange(true, 5, 2)).toEqual({ on_hand: 2, reserved: -3, available: 5 });
    expect(stockChange(true, 4, 2, 2)).toEqual({ on_hand: 1, reserved: -3, available: 4 });
  });

  test("takes packed units out of their shipment, and cancels one that is empty", () => {
    const of = (quantity: number) => ({ items: [{ id: anId("line"), quantity }] });
    const record = aRecord(
      { status: "ready_to_dispatch" },
      {
        transactions: [aCharge({ amount: 1e9 })],
        shipments: [
          aShipment({ id: "shp_1", status: "delivered", ...of(1) }),
          aShipment({ id: "shp_2", status: "packed", ...of(2) }),
          aShipment({ id: "shp_3", ...of(1) }),
        ],
      },
      [{ quantity: 5, line_total: 5_000 }],
    );
    const planned = planRefund(record, input(of(3)), aMoneyContext());
    expect(planned).toMatchObject({
      change: {
        changes: [{ taken_off: of(3).items, came_back: [] }],
        shipments: [
          { id: "shp_3", status: "cancelled", items: [] },
          { id: "shp_2", status: "packed", ...of(1) },
        ],
      },
    });
  });

  test("of everything is refused while nothing was sent: the order is cancelled instead", () => {
    expect(stockChange(false, 5, 0)).toBe("everything");
    expect(stockChange(false, 4, 0)).toMatchObject({ reserved: -4 });
  });
});

describe("completing a refund that staff make", () => {
  const record = aRecord(
    {
      status: "cancelled",
      attention: [{ code: "refund_to_make", message: "Make it.", about: null, at }],
    },
    { transactions: [aCharge(), aRefund({ state: "pending" })] },
  );

  test("stores the first reference only, and clears the attention flag if no other refund waits for staff", () => {
    const done = completeRefund(record, "txn_refund", "N1", noon);
    if (done.kind !== "changed") throw new Error(done.kind);
    const made = after(record, done.change);
    expect(moneyMoved(made.rows.transactions)).toEqual({ paid: 1_000, refunded: 1_000 });
    expect(made.order.attention).toEqual([]);
    expect(done.change.events).toEqual([
      { type: "order_refunded", order_id: record.order.id, transaction_id: "txn_refund" },
    ]);
    expect(completeRefund(made, "txn_refund", "N1", noon).kind).toBe("already");
    expect(completeRefund(made, "txn_refund", "N2", noon).kind).toBe("refused");
  });

  test("is not mailed if a change of the order made it, whose letter or silence stands for both", () => {
    for (const announced of [true, false]) {
      const of = { ...aRefund({ state: "pending" }), announced };
      const running = aRecord({ status: "confirmed" }, { transactions: [aCharge(), of] });
      const done = completeRefund(running, "txn_refund", "N1", noon);
      expect(done).toMatchObject({
        kind: "changed",
        change: { events: [], entries: [{ type: "refunded" }] },
      });
    }
  });

  test("is refused for a charge and for a gateway refund", () => {
    expect(completeRefund(record, "txn_charge", "N1", noon).kind).toBe("unknown");
    const transactions = [aCharge(), aRefund({ state: "pending", method: "gateway" })];
    const byGateway = aRecord({}, { transactions });
    expect(completeRefund(byGateway, "txn_refund", "N1", noon).kind).toBe("refused");
  });
});
