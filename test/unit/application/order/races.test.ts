// @module-tag slow
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#shared/domain/base/ids.ts";
import { newStock } from "#shared/domain/catalog/stock.ts";
import { orderNumber } from "#shared/domain/order/order-number.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { holdsStock, unitsOf, unsentByStock } from "#shared/domain/order/ledger/order-units.ts";
import { type OrderStep, stepOrder } from "#shared/application/order/step-order.ts";
import { Stocks } from "#shared/storage/catalog/catalog.ts";
import { newOrder, openOrders } from "#shared/storage/order/orders.ts";
import { put } from "#shared/storage/writes.ts";
import { anId, noon } from "#test/support/shop/commerce.ts";
import { Story, placed } from "#test/support/shop/order-story.ts";
import { type StoryStep, someStep } from "../../domain/order/order-story-steps.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

/** A step of a story, judged by the order as it was read. It neither adds lines, whose stock is new, nor plans slots. */
class Judgement extends Story {
  taken: OrderChange | undefined;

  override take(change: OrderChange | undefined): void {
    super.take(change);
    this.taken = change ?? this.taken;
  }

  override change(input: Parameters<Story["change"]>[0]): void {
    const { take_off = [], take_back = [], reduce = [] } = input;
    if (take_off.length + take_back.length + reduce.length > 0) super.change(input);
  }

  override plan(): void {}
}

let ids = 0;
function judged(record: OrderRecord, step: StoryStep): Judgement {
  const now = new Date(Date.parse(record.order.updated_at) + 1_000);
  const judgement = new Judgement(record, { now, ids: (ids += 100) });
  step(judgement);
  return judgement;
}

/** An order that is stored, with its stock. */
async function stored(inCash: boolean): Promise<OrderRecord> {
  const lines = [
    { quantity: 3, line_total: 3_001, tax: 229 },
    { quantity: 1, line_total: 777, tax: 59 },
  ];
  const { order, rows } = placed(lines, inCash, null, 100);
  const id = newId("ord", noon);
  const record: OrderRecord = {
    rows,
    order: {
      ...order,
      id,
      number: orderNumber(crypto.getRandomValues(Buffer.alloc(12))),
      counted: { buyers: [], open: [], coupon: [] },
      items: order.items.map((item) => ({ ...item, variant_id: newId("var", noon) })),
    },
  };
  const owner = { kind: "product", id: anId("prd"), slug: "chair" } as const;
  const shelves = Array.from(unsentByStock(record), ([sku, reserved]) => ({
    ...newStock(sku, owner, { policy: "deny", low_stock_threshold: 0 }, noon),
    on_hand: 9,
    reserved,
    available: 9 - reserved,
  }));
  await fixture.table.transact([
    ...newOrder(record.order, []),
    ...shelves.map((shelf) => put(Stocks, shelf)),
  ]);
  return record;
}

/** What is the same however a step's ids and times turn out. */
function stateOf(record: OrderRecord) {
  const { order, rows } = record;
  const { version, status, payment_status, current, received, rounding, attention } = order;
  const sorted = (of: readonly unknown[]) => of.map((each) => JSON.stringify(each)).toSorted();
  return {
    order: { version, status, payment_status, current, received, rounding },
    attention: sorted(attention.map(({ code }) => code)),
    units: [...unitsOf(record).values()],
    transactions: sorted(rows.transactions.map(({ type, state, amount }) => [type, state, amount])),
    shipments: sorted(
      rows.shipments.map(({ status: at, items }) => [
        at,
        items.map(({ id, quantity }) => [id, quantity]),
      ]),
    ),
    changes: rows.changes.length,
    entries: sorted(rows.timeline.map(({ type }) => type)),
  };
}

test("of two steps against the same version the second is judged again: the end is that of one after the other", async () => {
  const deps = { table: fixture.table, orders: openOrders(fixture.table) };
  const take = (first: OrderRecord, step: StoryStep) => {
    const judge: OrderStep = (record, { stockAvailable }) => {
      if (!stockAvailable) throw new Error("The stock does not agree with the order");
      return judged(record, step).taken;
    };
    return stepOrder(deps, first, new Date(first.order.updated_at), judge);
  };
  const pay: StoryStep = (story) => story.pay(100);
  let races = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(someStep, { maxLength: 8 }),
      someStep,
      someStep,
      async (inCash, steps, one, other) => {
        let record = await stored(inCash);
        for (const step of steps) record = await take(record, step);
        await Promise.all([take(record, one), take(record, other)]);
        const end = await deps.orders.find(record.order.id);
        const inTurn = (first: StoryStep, second: StoryStep) =>
          stateOf(judged(judged(record, first).record, second).record);
        for (const { id, variant_id } of record.order.items) {
          const { open, packed } = unitsOf(end!).get(id)!;
          const { reserved } = (await fixture.table.get(Stocks, { id: variant_id! }))!;
          expect(reserved).toBe(holdsStock(end!.order.status) ? open + packed : 0);
        }
        expect([inTurn(one, other), inTurn(other, one)]).toContainEqual(stateOf(end!));
        if (end!.order.version === record.order.version + 2) races++;
      },
    ),
    { numRuns: 150, examples: [[false, [], pay, pay]] },
  );
  expect(races).toBeGreaterThan(0);
});
