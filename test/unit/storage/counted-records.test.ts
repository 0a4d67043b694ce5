import { afterAll, beforeAll, expect, test } from "vitest";
import { type Tally, metricOf } from "#shared/domain/metrics/metrics.ts";
import { CountedRecords, byShard, recount } from "#shared/storage/metrics/counted-records.ts";
import { readMetrics } from "#shared/storage/metrics/metrics.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import type { Table } from "#shared/storage/table.ts";

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

const orders = (count: number, name: string) =>
  Array.from({ length: count }, (_, number) => ({
    kind: "order" as const,
    id: `${name}-${number}`,
  }));
const soldOn = async (day: string) =>
  (await readMetrics(here.table, { topic: "sales", from: day, to: day })).get(day);
const sale = (day: string, metrics: Record<string, number>): Tally => ({
  [`sales#${day}`]: metrics,
});

test("records of a batch are counted once each, even if they are counted again with another tally", async () => {
  const records = orders(30, "again");
  const count = (revenue: number) =>
    recount(here.table, records, async (some) =>
      some.map(() => sale("2026-01-01", { orders: 1, revenue })),
    );
  await count(100);
  expect(await soldOn("2026-01-01")).toEqual({ orders: 30, revenue: 3_000 });
  await count(100);
  await count(70);
  expect(await soldOn("2026-01-01")).toEqual({ orders: 30, revenue: 2_100 });
});

test("a batch that needs more than 100 writes is counted in several transactions", async () => {
  const records = orders(40, "days");
  const dayOf = ({ id }: { id: string }, offset: number) =>
    `2026-02-${String(1 + ((Number(id.split("-")[1]) + offset) % 28)).padStart(2, "0")}`;
  const tallies = (some: typeof records) =>
    some.map((record) => ({
      ...sale(dayOf(record, 0), { orders: 1 }),
      ...sale(dayOf(record, 9), { refunded: 5 }),
      ...sale(dayOf(record, 18), { cancelled: 1 }),
    }));
  await recount(here.table, records, async (some) => tallies([...some]));
  const days = await readMetrics(here.table, {
    topic: "sales",
    from: "2026-02-01",
    to: "2026-02-28",
  });
  const sum = (name: string) => [...days.values()].reduce((all, day) => all + (day[name] ?? 0), 0);
  expect([sum("orders"), sum("refunded"), sum("cancelled")]).toEqual([40, 200, 40]);
});

test("a batch with more metrics in a row than an expression can hold is counted in several transactions", async () => {
  const records = byShard(orders(80, "names")).at(0)?.slice(0, 10) ?? [];
  const products = (id: string) =>
    Array.from({ length: 40 }, (_, number) => [metricOf("sold", `prd_${id}_${number}`), 1]);
  await recount(here.table, records, async (some) =>
    some.map(({ id }) => sale("2026-03-01", Object.fromEntries(products(id)))),
  );
  expect(Object.keys((await soldOn("2026-03-01")) ?? {})).toHaveLength(400);
});

test("a batch counts correctly even if a concurrent call counts one of its records", async () => {
  const records = orders(5, "race");
  const one = async (some: readonly unknown[]) => some.map(() => sale("2026-04-01", { orders: 1 }));
  let other: Promise<void> | undefined;
  await recount(here.table, records, async (some) => {
    other ??= recount(here.table, records.slice(2, 3), one);
    await other;
    return one(some);
  });
  expect(await soldOn("2026-04-01")).toEqual({ orders: 5 });
  expect(await here.table.get(CountedRecords, { kind: "order", id: "race-2" })).toMatchObject({
    version: 2,
  });
});

test("names beyond the limit of a metrics row are counted as others, even if earlier records of the batch reach the limit", async () => {
  const [records = []] = byShard(orders(40, "room"));
  const day = "2026-05-01";
  const tallyOf = (from: number, count: number): Tally => ({
    [`products#${day}`]: Object.fromEntries(
      Array.from({ length: count }, (_, number) => [metricOf("sold", `prd_${from + number}`), 1]),
    ),
  });
  const [first, second, third, ...batch] = records.slice(0, 5);
  for (const [position, record] of [first!, second!, third!].entries()) {
    await recount(here.table, [record], async () => [tallyOf(position * 150, 150)]);
  }
  await recount(here.table, batch, async (some) =>
    some.map(({ id }) => tallyOf(id === batch[0]?.id ? 450 : 490, 40)),
  );
  const row = (await readMetrics(here.table, { topic: "products", from: day, to: day })).get(day);
  expect(Object.keys(row ?? {})).toHaveLength(501);
  expect(row?.[metricOf("sold")]).toBe(30);
});

test("records of different shards are never counted in the same row", async () => {
  const written = new Map<string, number>();
  for (const [group, records] of byShard(orders(60, "group")).entries()) {
    const transact: Table["transact"] = async (writes) => {
      for (const write of writes) {
        if (!("kind" in write) || write.kind !== "update") continue;
        const row = JSON.stringify(write.key);
        expect(written.get(row) ?? group).toBe(group);
        written.set(row, group);
      }
      return here.table.transact(writes);
    };
    await recount({ ...here.table, transact }, records, async (some) =>
      some.map(() => ({
        ...sale("2026-06-01", { orders: 1 }),
        "standing#now": { orders_confirmed: 1 },
      })),
    );
  }
  expect(written.size).toBe(8);
});
