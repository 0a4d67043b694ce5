import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OrderRow } from "#shared/domain/order/view/order-row.ts";
import {
  type OrderSearch,
  rangeOfStatus,
  searchOrders,
  wholeRows,
} from "#shared/storage/order/order-lists.ts";
import { Orders, newOrder } from "#shared/storage/order/orders.ts";
import { OrdersNeedingAttention } from "#shared/storage/order/orders-needing-attention.ts";
import { put } from "#shared/storage/writes.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
const now = new Date("2026-11-21T06:30:00.000Z");
const days = ["2026-11-20", "2026-11-03", "2026-10-31", "2026-06-15", "2026-02-01", "2025-11-30"];
const placed = days.flatMap((day) => [`${day}T10:00:00.000Z`, `${day}T09:00:00.000Z`]);

beforeAll(async () => {
  shop = await startTestTable();
  for (const [number, placed_at] of placed.entries()) {
    const signs = "ABCDEFGHJKLM"[number];
    await shop.table.transact([
      ...newOrder(
        {
          ...aPlacedOrder(),
          id: anId("ord", number),
          number: `FS-AAAA-AAAA-AAA${signs}`,
          placed_at,
          counted: { buyers: ["email#asha@example.com"], open: [], coupon: [] },
          // Every third order has ended.
          ...(number % 3 === 0 && { status: "completed", expires_at: null }),
        },
        [],
      ),
      ...(number % 4 === 0
        ? [put(OrdersNeedingAttention, { order_id: anId("ord", number), placed_at })]
        : []),
    ]);
  }
});
afterAll(() => shop.stop());

const everything: OrderSearch = {
  range: { kind: "all" },
  from: null,
  until: null,
  matches: () => true,
};

async function everyPage(search: Partial<OrderSearch>, limit = 5) {
  const all: OrderSearch = { ...everything, ...search };
  const found: string[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const page = await searchOrders(shop.table, all, { limit, after });
    expect(page.records.length).toBeLessThanOrEqual(limit);
    found.push(...page.records.map(({ placed_at }) => placed_at));
    after = page.next ?? undefined;
    pages++;
  } while (after !== undefined && pages < 30);
  return found;
}

const moments = (of: readonly string[]) => of.map((at) => new Date(at));
describe("a paginated list of orders", () => {
  test.each([1, 2, 3, 5, 100])("continues with the page size %i", async (limit) => {
    expect(await everyPage({}, limit)).toEqual(placed);
  });

  test.each([1, 3, 100])("begins with the oldest order, with the page size %i", async (limit) => {
    expect(await everyPage({ oldestFirst: true }, limit)).toEqual(placed.toReversed());
    const open = placed.filter((_at, number) => number % 3 !== 0);
    const range = rangeOfStatus(aPlacedOrder().status);
    expect(await everyPage({ oldestFirst: true, range }, limit)).toEqual(open.toReversed());
  });

  test("is empty for a forged cursor from before the first day of the list", async () => {
    const from = new Date("2026-11-01T00:00:00.000Z");
    const page = { limit: 5, after: "2026-10-31T10:00:00.000Z#ord_01KE66PJA0M594E921BVM9D6BK" };
    const found = await searchOrders(shop.table, { ...everything, from }, page);
    expect(found).toEqual({ records: [], next: null });
  });

  test(
    "contains each order once and in order, for every page size, range and filter",
    { tags: "slow" },
    async () => {
      const moment = fc.option(fc.constantFrom(...placed, "2026-07-31T23:59:59.999Z"));
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 13 }),
          moment,
          moment,
          fc.integer({ min: 1, max: 4 }),
          fc.boolean(),
          async (limit, from, until, nth, oldestFirst) => {
            fc.pre(from === null || until === null || from < until);
            const isMeant = (placed_at: string) => placed.indexOf(placed_at) % nth === 0;
            const found = await everyPage(
              {
                from: from === null ? null : new Date(from),
                until: until === null ? null : new Date(until),
                oldestFirst,
                matches: (order) => isMeant(order.placed_at),
              },
              limit,
            );
            const within = placed.filter(
              (at) =>
                (from === null || at >= from) && (until === null || at < until) && isMeant(at),
            );
            expect(found).toEqual(oldestFirst ? within.toReversed() : within);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  test("begins at the first requested day", async () => {
    const [from, until] = moments(["2025-11-30T10:00:00.000Z", "2026-10-31T10:00:00.000Z"]);
    expect(await everyPage({ from: from! })).toEqual(placed.slice(0, -1));
    expect(await everyPage({ from: from!, until: until! }, 2)).toEqual(placed.slice(5, -1));
  });

  test("ends at the last requested day", async () => {
    const [until] = moments(["2025-11-30T10:00:00.000Z"]);
    expect(await everyPage({ until: until! })).toEqual(placed.slice(-1));
    const [july] = moments(["2026-07-31T00:00:00.000Z"]);
    expect(await everyPage({ until: july! }, 2)).toEqual(placed.slice(6));
  });

  test("reads orders in open states from their own index, and other orders from the index of all orders", async () => {
    const over = (order: OrderRow) => order.status === "completed";
    const closed = placed.filter((_, number) => number % 3 === 0);
    expect(await everyPage({ range: rangeOfStatus("completed"), matches: over }, 1)).toEqual(
      closed,
    );
    const range = rangeOfStatus("pending_payment");
    expect(range).toEqual({ kind: "open", status: "pending_payment" });
    expect(await everyPage({ range }, 2)).toEqual(placed.filter((_, number) => number % 3 > 0));
  });

  test("can be filtered by attention flag and by customer", async () => {
    const marked = placed.filter((_, number) => number % 4 === 0);
    expect(await everyPage({ range: { kind: "to_see" } }, 2)).toEqual(marked);
    const range = { kind: "buyer", buyer: "email#asha@example.com" } as const;
    expect(await everyPage({ range }, 5)).toEqual(placed);
    const [until] = moments(["2026-06-15T10:00:00.000Z"]);
    expect(await everyPage({ range, until: until! }, 4)).toEqual(placed.slice(7));
  });

  test("reads a page with one query, over however many months its orders spread", async () => {
    for (const limit of [2, 6, 24]) {
      const { result, calls } = await shop.proxy.record(() =>
        searchOrders(shop.table, everything, { limit, after: undefined }),
      );
      expect(result.records).toHaveLength(Math.min(limit, placed.length));
      expect(calls).toHaveLength(1);
    }
  });

  test("reads twice as many orders with each query if few match, up to 200 for a page", async () => {
    const busy = await startTestTable();
    try {
      const times = Array.from(
        { length: 250 },
        (_, minutes) => new Date(now.getTime() + minutes * 60_000),
      );
      const rows = times.map((at, number) =>
        put(Orders, { ...aPlacedOrder(), id: anId("ord", number), placed_at: at.toISOString() }),
      );
      await busy.table.writeMany(rows);
      const none = { ...everything, matches: () => false };
      const { result, calls } = await busy.proxy.record(() =>
        searchOrders(busy.table, none, { limit: 24, after: undefined }),
      );
      expect(result).toEqual({ records: [], next: expect.any(String) });
      // 24, 48, 96, and what is left of 200.
      expect(calls).toHaveLength(4);
      expect(result.next).toContain(times.at(-200)!.toISOString());
    } finally {
      await busy.stop();
    }
  });

  test("reads at most 1 KB per order, and completes rows that were stored without what lists show", async () => {
    const first = { limit: 12, after: undefined };
    const { result, calls } = await shop.proxy.record(() =>
      searchOrders(shop.table, everything, first),
    );
    const bytes = Math.max(...calls.map(({ answerBytes }) => answerBytes));
    expect(bytes / result.records.length).toBeLessThanOrEqual(1024);
    const [order] = result.records;
    const { listed, ...bare } = order!;
    expect(listed).toEqual({
      city: "Bengaluru",
      recipient: "Asha Rao",
      item_count: expect.any(Number),
      skus: expect.any(Array),
      promised: { min_on: expect.any(String), max_on: expect.any(String) },
      grand_total: expect.any(Number),
      due: expect.any(Number),
    });
    expect(await wholeRows(shop.table, [bare])).toMatchObject([{ id: order!.id, listed }]);
    expect(await wholeRows(shop.table, [{ ...bare, id: newId("ord", now) }])).toEqual([undefined]);
  });
});
