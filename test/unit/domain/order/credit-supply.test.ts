import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { creditsOf } from "#shared/domain/order/invoice/credit-supply.ts";
import { printedInvoice, printedSupply } from "#shared/domain/order/invoice/invoice-view.ts";
import { supplyOf, without } from "#shared/domain/order/invoice/invoiced-supplies.ts";
import { changeOf } from "#shared/domain/order/order-change.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord, Shipment } from "#shared/domain/order/order.ts";
import { type Supply, supplyValue } from "#shared/domain/order/invoice/supply.ts";
import { receivedIn } from "#shared/domain/payment/payment.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import { anId, noon, someSettings } from "#test/support/shop/commerce.ts";
import {
  aCharge,
  aMoneyContext,
  aRecord,
  aShipment,
  after,
} from "#test/support/shop/order-record.ts";
import { inSequence } from "#test/support/shop/order-story.ts";

const levies = (each: number) =>
  ["cgst", "sgst"].map((code) => ({ code, label: code.toUpperCase(), bps: 900, amount: each }));
const units = [
  { quantity: 3, line_total: 3_001, each: 229 },
  { quantity: 1, line_total: 777, each: 59 },
];
const shipping = 250;
const grandTotal = 3_001 + 777 + shipping;

/** A confirmed order of two lines, for which this much was paid. */
function anOrder(paid: number): OrderRecord {
  const record = aRecord(
    { status: "ready_to_dispatch", invoice: null },
    {},
    units.map(() => ({})),
  );
  const items = record.order.items.map((item, index) => {
    const { quantity = 1, line_total = 0, each = 0 } = units[index] ?? {};
    const amounts = { line_subtotal: line_total, line_discount: 0, line_total, line_tax: 2 * each };
    return { ...item, quantity, ...amounts, tax_components: levies(each) };
  });
  return {
    order: {
      ...record.order,
      items,
      shipping: { ...record.order.shipping, tax_components: levies(19) },
      totals: { ...record.order.totals, shipping, shipping_tax: 38, grand_total: grandTotal },
      current: grandTotal,
      received: paid,
    },
    rows: { ...record.rows, transactions: paid === 0 ? [] : [aCharge({ amount: paid })] },
  };
}

let made = 0;
const context = () =>
  aMoneyContext({ newTransactionId: () => `txn_refund_${String(++made).padStart(4, "0")}` });

/** The record after a refund by staff; unchanged if the refund is refused. */
function refunded(record: OrderRecord, input: Partial<RefundInput>): OrderRecord {
  const outcome = planRefund(
    record,
    RefundInput.parse({ reason: "Because", reference: "CASH-1", ...input }),
    context(),
  );
  return outcome.kind === "planned" ? after(record, outcome.change) : record;
}

/** The record after the first dispatch, with its invoice. */
function dispatched(record: OrderRecord): OrderRecord {
  const supplied = supplyOf(record);
  const items = record.order.items.map(({ id, quantity }) => ({ id, quantity }));
  const invoice = { number: "FS/26-27/000001", issued_on: "2026-11-21" };
  return {
    order: { ...record.order, status: "shipped", supplied, invoice },
    rows: { ...record.rows, shipments: [aShipment({ status: "out_for_delivery", items })] },
  };
}

/** The record after the carrier has brought everything back. */
function cameBack(record: OrderRecord): OrderRecord {
  const shipments = record.rows.shipments.map((shipment) => ({
    ...shipment,
    status: "returned_to_origin" as const,
  }));
  const came_back = shipments.flatMap(({ items }) =>
    items.map((item) => ({ ...item, undelivered: true })),
  );
  const back = after(record, changeOf(record, { shipments, came_back }, noon));
  expect(back.order.status).toBe("returned");
  return back;
}

const line = (index: number) => anId("line", index + 1);
/** The invoice less all credit notes. */
const left = (record: OrderRecord): Supply => {
  const { supplied } = record.order;
  if (!supplied) throw new Error("Nothing was invoiced");
  return creditsOf(record).reduce((rest, { credit }) => without(rest, credit), supplied);
};
const credited = (record: OrderRecord) =>
  creditsOf(record).reduce((sum, { credit }) => sum + supplyValue(credit), 0);
const failed = (record: OrderRecord): OrderRecord => {
  const row = record.rows.transactions.at(-1);
  if (!row) throw new Error("No refund was made");
  const change: OrderChange = changeOf(
    record,
    { transactions: [{ ...row, state: "failed" }] },
    noon,
  );
  return after(record, change);
};

const someRefund: fc.Arbitrary<Partial<RefundInput>> = fc.oneof(
  fc.record({ amount: fc.integer({ min: 1, max: 2_000 }) }),
  fc.record({
    items: fc.constantFrom(0, 1).map((index) => [{ id: line(index), quantity: 1 }]),
  }),
  fc.record({
    amount: fc.integer({ min: 1, max: 1_500 }),
    items: fc.constant([0].map((index) => ({ id: line(index), quantity: 1 }))),
  }),
);

describe("the supply of an invoice", () => {
  test("is the whole order if nothing was refunded before the dispatch, paid or not", () => {
    for (const paid of [0, 100, grandTotal, grandTotal + 500]) {
      expect(supplyValue(supplyOf(anOrder(paid)))).toBe(grandTotal);
    }
  });

  test("leaves out units that were refunded before the dispatch", () => {
    const record = refunded(anOrder(grandTotal), { items: [{ id: line(0), quantity: 2 }] });
    const supply = supplyOf(record);
    expect(supply.lines.map(({ quantity }) => quantity)).toEqual([1, 1]);
    expect(supplyValue(supply)).toBe(receivedIn(record.rows.transactions));
  });

  test("is lowered by a price reduction before the dispatch, but not by the refund of an overpayment", () => {
    const record = refunded(anOrder(grandTotal + 500), { amount: 500 });
    expect(supplyValue(supplyOf(record))).toBe(grandTotal);
    expect(supplyValue(supplyOf(refunded(record, { amount: 400 })))).toBe(grandTotal - 400);
  });

  test("prints with lines that add up to its total, and with the tax of the whole", () => {
    const { order } = dispatched(anOrder(0));
    const printed = printedInvoice(order, someSettings().store);
    expect(printed?.totals).toMatchObject({ grand_total: grandTotal, tax: 2 * (229 + 59 + 19) });
    const gst = printed?.tax_summary.map(({ code, amount }) => [code, amount]);
    expect(gst).toEqual([
      ["cgst", 229 + 59 + 19],
      ["sgst", 229 + 59 + 19],
    ]);
  });
});

describe("a credit", () => {
  test("does not exist before the invoice", () => {
    const record = refunded(anOrder(grandTotal), { amount: 300 });
    expect(creditsOf(record)).toEqual([]);
  });

  test("covers every refund of a paid supply, so that the invoiced rest is what the shop keeps", () => {
    fc.assert(
      fc.property(fc.array(someRefund, { maxLength: 6 }), (refunds) => {
        let record = dispatched(anOrder(grandTotal));
        for (const input of refunds) {
          record = refunded(record, input);
          const rest = left(record);
          expect(inSequence(rest)).toEqual(inSequence(supplyOf(record)));
          expect(supplyValue(rest)).toBe(receivedIn(record.rows.transactions));
          expect(supplyValue(rest) + credited(record)).toBe(grandTotal);
          for (const { quantity, amount, taxes } of [
            ...rest.lines,
            { quantity: 0, ...rest.shipping },
          ]) {
            expect(Math.min(quantity, amount, ...taxes)).toBeGreaterThanOrEqual(0);
            // Components of equal rate stay equal.
            expect(taxes[0]).toBe(taxes[1]);
          }
        }
      }),
    );
  });

  test("does not cover the overpayment that refunds pay first", () => {
    fc.assert(
      fc.property(fc.nat(900), fc.array(someRefund, { maxLength: 6 }), (surplus, refunds) => {
        let record = dispatched(anOrder(grandTotal + surplus));
        for (const input of refunds) record = refunded(record, input);
        const rest = supplyValue(left(record));
        const kept = receivedIn(record.rows.transactions);
        expect(rest).toBe(record.order.current);
        expect(rest).toBeLessThanOrEqual(kept);
        expect(kept - rest).toBeLessThanOrEqual(surplus);
      }),
    );
  });

  test("takes exactly the invoiced tax off when everything is refunded in parts", () => {
    let record = dispatched(anOrder(grandTotal));
    record = refunded(record, { amount: 123 });
    record = refunded(record, { items: [{ id: line(0), quantity: 1 }] });
    record = refunded(record, { amount: receivedIn(record.rows.transactions) });
    const rest = left(record);
    expect(supplyValue(rest)).toBe(0);
    expect([...rest.lines, rest.shipping].flatMap(({ taxes }) => taxes)).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  test("names the returned units", () => {
    const record = refunded(dispatched(anOrder(grandTotal)), {
      items: [{ id: line(0), quantity: 2 }],
    });
    const [credit] = creditsOf(record);
    const printed = printedSupply(record.order, credit!.credit);
    expect(printed.lines.map(({ sku, quantity }) => [sku, quantity])).toEqual([["SKU-1", 2]]);
    expect(printed.totals.grand_total).toBe(record.rows.transactions.at(-1)?.amount);
  });

  test("is not repeated when a failed refund is made in another way", () => {
    const once = refunded(dispatched(anOrder(grandTotal)), {
      items: [{ id: line(1), quantity: 1 }],
    });
    const again = refunded(failed(once), { amount: 777 });
    expect(again.rows.transactions).toHaveLength(3);
    expect(creditsOf(again)).toEqual(creditsOf(once));
  });

  test("stays when its refund row is stored again", () => {
    const record = refunded(dispatched(anOrder(grandTotal)), { amount: 100 });
    const row = record.rows.transactions.at(-1)!;
    const repeated = after(record, changeOf(record, { transactions: [{ ...row }] }, noon));
    expect(creditsOf(repeated)).toEqual(creditsOf(record));
  });

  test.each([0, 1_000, grandTotal])(
    "covers everything of an order that came back, of which %d was paid",
    (paid) => {
      const back = cameBack(dispatched(anOrder(paid)));
      expect(creditsOf(back)).toMatchObject([
        { id: back.rows.changes[0]?.id, credit: back.order.supplied, hasUnits: true },
      ]);
      expect(back.order).toMatchObject({ current: 0, received: paid });
      const money = paid === 0 ? back : refunded(back, { amount: paid });
      expect(credited(money)).toBe(grandTotal);
      expect(money.order.payment_status).toBe(paid === 0 ? "failed" : "refunded");
    },
  );

  test("does not cover what the shop keeps of units that came back", () => {
    const sent = dispatched(anOrder(grandTotal));
    const items = sent.rows.shipments.map((shipment) => ({ ...shipment, status: "delivered" }));
    const delivered = { ...sent, rows: { ...sent.rows, shipments: items as Shipment[] } };
    const record = refunded(delivered, {
      items: [{ id: line(1), quantity: 1 }],
      restock: true,
      amount: 700,
      keep: true,
    });
    expect(record.rows.changes).toMatchObject([{ kept: [{ id: line(1), amount: 77 }] }]);
    expect(credited(record)).toBe(700);
    const { lines } = left(record);
    // 77 of 777 keep their share of the line's tax.
    expect(lines[1]).toEqual({ id: line(1), quantity: 0, amount: 77, taxes: [6, 6] });
  });
});
