import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CreditNotes,
  CreditNotesToIssue,
  issueCreditNotes,
} from "#shared/storage/order/credit-notes.ts";
import { InvoiceNumbers } from "#shared/storage/order/number-series.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

const issued_on = "2026-11-21";
const noteOf = (order: number) => ({ order_id: anId("ord", order), id: anId("txn", order) });

/** Requests numbers for these orders, as calls that end before they issue them. */
async function requestNumbers(series: string, orders: readonly number[]): Promise<void> {
  for (const order of orders) {
    await shop.table.write(put(CreditNotesToIssue, { ...noteOf(order), series, issued_on }));
  }
}

/** The number that the call for one order leaves it with; undefined if it has none. */
async function issueFor(
  series: string,
  order: number,
  table = shop.table,
): Promise<string | undefined> {
  const { order_id, id } = noteOf(order);
  await issueCreditNotes(table, order_id, [id], { name: series, issued_on });
  return (await shop.table.get(CreditNotes, { order_id, id }))?.number;
}

const numbers = (series: string, count: number) =>
  Array.from({ length: count }, (_, before) => `${series}${String(before + 1).padStart(5, "0")}`);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("a call gets the number of its document, even if more than a hundred requests are ahead of it", async () => {
  await requestNumbers("CN/A", range(1, 120));
  expect(await issueFor("CN/A", 121)).toBe(numbers("CN/A", 121)[120]);
});

test("a request that cannot be processed stops no other, and the call fails with its error", async () => {
  await requestNumbers("CN/C", range(401, 404));
  const { order_id: poison } = noteOf(403);
  const table: Table = {
    ...shop.table,
    async transact(writes) {
      if (JSON.stringify(writes).includes(poison)) throw new Error("poison");
      await shop.table.transact(writes);
    },
  };
  await expect(issueFor("CN/C", 404, table)).rejects.toEqual(new Error("poison"));
  const issued = await Promise.all(
    range(401, 404).map(
      async (order) => (await shop.table.get(CreditNotes, noteOf(order)))?.number,
    ),
  );
  const [first, second, third] = numbers("CN/C", 3);
  expect(issued).toEqual([first, second, undefined, third]);
});

test(
  "calls that take numbers concurrently, with more than a hundred requests waiting, each get their own without a gap",
  { tags: "slow" },
  async () => {
    await requestNumbers("CN/B", range(201, 310));
    const own = await Promise.all([311, 312, 313].map((order) => issueFor("CN/B", order)));
    const all = await Promise.all(
      range(201, 310).map(
        async (order) => (await shop.table.get(CreditNotes, noteOf(order)))?.number,
      ),
    );
    const issued = [...all, ...own].map((number) => number ?? "none");
    expect(issued.toSorted((one, other) => one.localeCompare(other))).toEqual(numbers("CN/B", 113));
    expect(await shop.table.get(InvoiceNumbers, { series: "CN/B" })).toEqual({ last: 113 });
  },
);
