import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChangeRow } from "#shared/domain/order/ledger/change-row.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { unitsOf } from "#shared/domain/order/ledger/order-units.ts";
import { reductionOf, valueOf } from "#shared/domain/order/ledger/order-value.ts";
import { receivedIn } from "#shared/domain/payment/payment.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { anId } from "#test/support/shop/commerce.ts";
import {
  aChange,
  aCharge,
  aMoneyContext,
  aRecord,
  aShipment,
  after,
} from "#test/support/shop/order-record.ts";

const id = anId("line", 1);
const other = anId("line", 2);
const shipping = 500;

/** An order of these lines with delivery for 500, of which everything was delivered and paid. */
function delivered(...lines: { quantity: number; line_total: number }[]): OrderRecord {
  const placed = aRecord({ status: "delivered" }, {}, lines);
  const items = placed.order.items.map((item) => ({ id: item.id, quantity: item.quantity }));
  const grand_total = lines.reduce((sum, { line_total }) => sum + line_total, shipping);
  return {
    order: { ...placed.order, totals: { ...placed.order.totals, shipping, grand_total } },
    rows: {
      ...placed.rows,
      transactions: [aCharge({ amount: grand_total })],
      shipments: [aShipment({ status: "delivered", items })],
    },
  };
}

const withChanges = (record: OrderRecord, ...changes: Partial<ChangeRow>[]): OrderRecord => ({
  ...record,
  rows: { ...record.rows, changes: changes.map((change) => aChange(change)) },
});

const lineOf = (record: OrderRecord, line = id) => valueOf(record).lines.get(line);

describe("the value of an order", () => {
  const two = () => delivered({ quantity: 2, line_total: 4_001 }, { quantity: 1, line_total: 900 });

  test("is what was agreed until something changes", () => {
    expect(valueOf(two())).toMatchObject({ shipping, current: 4_001 + 900 + shipping });
  });

  test("loses the cumulative share of units that are taken off, back or paid back", () => {
    const one = [{ id, quantity: 1 }];
    for (const change of [
      { taken_off: one },
      { came_back: [{ id, quantity: 1, undelivered: false }] },
      { paid_back: one },
    ]) {
      expect(lineOf(withChanges(two(), change))).toEqual({ units: 1, amount: 2_001 });
      expect(lineOf(withChanges(two(), change, change))).toEqual({ units: 0, amount: 0 });
    }
  });

  test("keeps what delivery cost after a delivery if the shop does so, and not otherwise", () => {
    const placed = delivered({ quantity: 2, line_total: 4_000 });
    const keeping = { ...placed, order: { ...placed.order, refund_shipping: false } };
    const back = (undelivered: boolean) => ({ came_back: [{ id, quantity: 1, undelivered }] });
    const table: [OrderRecord, Partial<ChangeRow>[], number][] = [
      [placed, [back(false), back(false)], 0],
      [keeping, [back(false), back(true)], shipping],
      [keeping, [back(false), { taken_off: [{ id, quantity: 1 }] }], shipping],
      [keeping, [back(true), back(true)], 0],
      [keeping, [{ taken_off: [{ id, quantity: 2 }] }], 0],
      [keeping, [back(false)], 2_000 + shipping],
    ];
    for (const [record, changes, worth] of table) {
      expect(valueOf(withChanges(record, ...changes)).current).toBe(worth);
    }
  });

  test("spreads a reduction over the units that count, with which it goes", () => {
    const reduced = [{ id, amount: 1_000 }];
    expect(lineOf(withChanges(two(), { reduced }))).toEqual({ units: 2, amount: 3_001 });
    const less = withChanges(two(), { reduced }, { taken_off: [{ id, quantity: 1 }] });
    expect(lineOf(less)).toEqual({ units: 1, amount: 1_501 });
  });

  test("does not lose the value of a unit again that was paid back and comes back later", () => {
    const back = withChanges(
      two(),
      { paid_back: [{ id, quantity: 1 }] },
      { came_back: [{ id, quantity: 1, undelivered: false }] },
    );
    expect(lineOf(back)).toEqual({ units: 1, amount: 2_001 });
  });

  test("has no delivery once every unit is taken off or back", () => {
    const all = [
      { id, quantity: 2, undelivered: true },
      { id: other, quantity: 1, undelivered: true },
    ];
    expect(valueOf(withChanges(two(), { came_back: all })).current).toBe(0);
    expect(valueOf(withChanges(two(), { came_back: all.slice(0, 1) })).current).toBe(
      900 + shipping,
    );
  });

  const someChange = (record: OrderRecord) =>
    fc.oneof(
      fc.record({
        kind: fc.constant("reduce" as const),
        amount: fc.integer({ min: 1, max: 9_999 }),
      }),
      fc.record({
        kind: fc.constantFrom("taken_off" as const, "came_back" as const, "paid_back" as const),
        line: fc.constantFrom(...record.order.items.map((item) => item.id)),
        quantity: fc.integer({ min: 1, max: 3 }),
      }),
    );

  test("is never negative, never grows, and ends at nothing when all units are gone, whatever the sequence", () => {
    const record = delivered(
      { quantity: 3, line_total: 10_000 },
      { quantity: 7, line_total: 6 },
      { quantity: 1, line_total: 4_999 },
    );
    fc.assert(
      fc.property(fc.array(someChange(record), { maxLength: 14 }), (steps) => {
        let now = record;
        const step = (change: Partial<ChangeRow>) => {
          const was = valueOf(now);
          now = { ...now, rows: { ...now.rows, changes: [...now.rows.changes, aChange(change)] } };
          const is = valueOf(now);
          for (const [line, { amount, units }] of is.lines) {
            expect(amount).toBeGreaterThanOrEqual(0);
            expect(amount).toBeLessThanOrEqual(was.lines.get(line)?.amount ?? 0);
            if (units === 0) expect(amount).toBe(0);
          }
          expect(is.shipping).toBeGreaterThanOrEqual(0);
          const sum = [...is.lines.values()].reduce((all, { amount }) => all + amount, is.shipping);
          expect(is.current).toBe(sum);
        };
        const presentOf = (line: string) => {
          const { ordered = 0, taken_off = 0, came_back = 0 } = unitsOf(now).get(line) ?? {};
          return ordered - taken_off - came_back;
        };
        for (const each of steps) {
          if (each.kind === "reduce") {
            const value = valueOf(now);
            const amount = Math.min(each.amount, value.current);
            const reduced = reductionOf(amount, value);
            step({ reduced });
            expect(valueOf(now).current).toBe(value.current - amount);
            continue;
          }
          const counted = lineOf(now, each.line)?.units ?? 0;
          const most = each.kind === "came_back" ? presentOf(each.line) : counted;
          const quantity = Math.min(each.quantity, most);
          if (quantity === 0) continue;
          const units = { id: each.line, quantity };
          step(
            each.kind === "came_back"
              ? { came_back: [{ ...units, undelivered: false }] }
              : { [each.kind]: [units] },
          );
        }
        const rest = now.order.items.flatMap((item) => {
          const quantity = presentOf(item.id);
          return quantity > 0 ? [{ id: item.id, quantity, undelivered: false }] : [];
        });
        step({ came_back: rest });
        expect(valueOf(now).current).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("refunds of delivered units", () => {
  let made = 0;
  const refund = (record: OrderRecord, input: Partial<RefundInput>) => {
    const context = aMoneyContext({ newTransactionId: () => `txn_refund_${++made}` });
    const sent = RefundInput.parse({ reason: "Scratched", reference: "NEFT-1", ...input });
    const outcome = planRefund(record, sent, context);
    if (outcome.kind !== "planned") return { record, amount: outcome };
    const amount = outcome.change.transactions.reduce((sum, row) => sum + row.amount, 0);
    return { record: after(record, outcome.change), amount };
  };

  test("a chair of 21,990 for which 5,000 was given back comes back for 16,990", () => {
    const { order: placed, rows } = delivered(
      { quantity: 1, line_total: 21_990 },
      { quantity: 1, line_total: 0 },
    );
    const order = { ...placed, totals: { ...placed.totals, shipping: 0, grand_total: 21_990 } };
    const paid = { ...rows, transactions: [aCharge({ amount: 21_990 })] };
    const goodwill = refund({ order, rows: paid }, { amount: 5_000 });
    const items = [{ id, quantity: 1 }];
    const back = refund(goodwill.record, { items, restock: true });
    expect([goodwill.amount, back.amount]).toEqual([5_000, 16_990]);
  });

  test("of two chairs, one that was refunded and later comes back is not paid back again", () => {
    const chairs = delivered({ quantity: 2, line_total: 4_000 });
    const items = [{ id, quantity: 1 }];
    const first = refund(chairs, { items });
    const returned = refund(first.record, { items, restock: true });
    const second = refund(returned.record, { items, restock: true });
    expect([first.amount, returned.amount, second.amount]).toEqual([2_000, 0, 2_000]);
    expect(unitsOf(second.record).get(id)).toMatchObject({ delivered: 0, came_back: 2 });
    expect(second.record.order.status).toBe("returned");
  });

  test("never pay more than what the order is worth, in whatever sequence they are made", () => {
    const someRefund = fc.oneof(
      fc.record({ amount: fc.integer({ min: 1, max: 4_000 }) }),
      fc.record({
        items: fc
          .tuple(fc.constantFrom(id, other), fc.integer({ min: 1, max: 2 }))
          .map(([line, quantity]) => [{ id: line, quantity }]),
        restock: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(someRefund, { maxLength: 9 }), (inputs) => {
        let record = delivered(
          { quantity: 3, line_total: 9_001 },
          { quantity: 1, line_total: 777 },
        );
        for (const input of inputs) record = refund(record, input).record;
        const held = receivedIn(record.rows.transactions);
        expect(held).toBeGreaterThanOrEqual(valueOf(record).current);
      }),
    );
  });
});
