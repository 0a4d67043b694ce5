import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OrderRow } from "#shared/domain/order/view/order-row.ts";
import {
  type OrderSearch,
  rangeOfStatus,
  searchOrders,
  wholeRows,
} from "#shared/storage/order/order-lists.ts";
import { keepMonths, monthOf } from "#shared/storage/order/order-months.ts";
import { newOrder } from "#shared/storage/order/orders.ts";
import { OrdersNeedingAttention } from "#shared/storage/order/orders-needing-attention.ts";
import { put } from "#shared/storage/writes.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { sequentialSteps, totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
const now = new Date("2026-11-21T06:30:00.000Z");
const months = ["2026-11-20", "2026-11-03", "2026-10-31", "2026-06-15", "2026-02-01", "2025-11-30"];
const placed = months.flatMap((day) => [`${day}T10:00:00.000Z`, `${day}T09:00:00.000Z`]);

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
  await keepMonths(shop.table, [...new Set(months.map(monthOf))]);
});
afterAll(() => shop.stop());

const everything: OrderSearch = {
  range: { kind: "month" },
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
    const page = await searchOrders(shop.table, all, { limit, after, now });
    expect(page.orders.length).toBeLessThanOrEqual(limit);
    found.push(...page.orders.map(({ placed_at }) => placed_at));
    after = page.next ?? undefined;
    pages++;
  } while (after !== undefined && pages < 30);
  return found;
}

const moments = (of: readonly string[]) => of.map((at) => new Date(at));
describe("a paginated list of orders", () => {
  test.each([1, 2, 3, 5, 100])(
    "continues over several months with the page size %i",
    async (limit) => {
      expect(await everyPage({}, limit)).toEqual(placed);
    },
  );

  test.each([1, 3, 100])("begins with the oldest order, with the page size %i", async (limit) => {
    expect(await everyPage({ oldestFirst: true }, limit)).toEqual(placed.toReversed());
    const open = placed.filter((_at, number) => number % 3 !== 0);
    const range = rangeOfStatus(aPlacedOrder().status);
    expect(await everyPage({ oldestFirst: true, range }, limit)).toEqual(open.toReversed());
  });

  test("is empty for a forged cursor from before the first day of the list", async () => {
    const from = new Date("2026-11-01T00:00:00.000Z");
    const page = {
      limit: 5,
      after: "2026-10-31T10:00:00.000Z#ord_01KE66PJA0M594E921BVM9D6BK",
      now,
    };
    const found = await searchOrders(shop.table, { ...everything, from }, page);
    expect(found).toEqual({ orders: [], next: null });
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

  test("has a cost in proportion to the page, not to the number of orders", async () => {
    const { result, calls } = await shop.proxy.record(() =>
      searchOrders(shop.table, everything, { limit: 2, after: undefined, now }),
    );
    // The newest month, and the months that have orders.
    expect([result.orders.length, calls.length]).toEqual([2, 2]);
    expect(totalUnits(calls).read).toBeLessThanOrEqual(3);
  });

  test("reads earlier months concurrently if one month does not fill the page", async () => {
    const { result, calls } = await shop.proxy.disturb(
      () => "slow",
      () => searchOrders(shop.table, everything, { limit: 24, after: undefined, now }),
    );
    expect([result.orders.length, result.next]).toEqual([placed.length, null]);
    // November and the list of months, then October and June, then the other two.
    expect([calls.length, sequentialSteps(calls)]).toEqual([6, 3]);
  });

  test("reads each month once, and at most one month more than the page needs", async () => {
    const { result, calls } = await shop.proxy.record(() =>
      searchOrders(shop.table, everything, { limit: 6, after: undefined, now }),
    );
    expect([result.orders.length, result.next]).toEqual([
      6,
      expect.stringContaining("2026-10-31T09:00"),
    ]);
    expect(calls).toHaveLength(4);
  });

  test("takes at most twelve queries of months per page, even without matches", async () => {
    const old = await startTestTable();
    try {
      const years = [2023, 2024, 2025].flatMap((year) =>
        Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, "0")}`),
      );
      await keepMonths(old.table, years);
      const { result, calls } = await old.proxy.record(() =>
        searchOrders(old.table, everything, { limit: 10, after: undefined, now }),
      );
      expect(result).toEqual({ orders: [], next: "2025-02" });
      expect(calls).toHaveLength(13);
    } finally {
      await old.stop();
    }
  });

  test("reads at most 1 KB per order, and completes rows that were stored without what lists show", async () => {
    const first = { limit: 2, after: undefined, now };
    const { result, calls } = await shop.proxy.record(() =>
      searchOrders(shop.table, everything, first),
    );
    const bytes = Math.max(...calls.map(({ answerBytes }) => answerBytes));
    // One order more than the page is read.
    expect(bytes / (result.orders.length + 1)).toBeLessThanOrEqual(1024);
    const [order] = result.orders;
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
    expect(await wholeRows(shop.table, [{ ...bare, id: newId("ord", now) }])).toEqual([]);
  });
});
