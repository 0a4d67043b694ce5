import { beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { entity } from "#shared/storage/entity.ts";
import { type Read, at } from "#shared/storage/reads.ts";
import { type RecentReads, openRecentReads } from "#shared/storage/recent-reads.ts";
import type { Table } from "#shared/storage/table.ts";

const kind = (name: string) =>
  entity({
    name,
    schema: z.object({ id: z.string(), price: z.int() }),
    key: ({ id }: { id: string }) => ({ pk: `${name}#${id}`, sk: "RECORD" }),
  });
const Chairs = kind("chair");
const Coupons = kind("coupon");

let price: number;
let time: number;
let asked: string[];
let reads: RecentReads;
let answered: Promise<void>;
beforeEach(() => {
  [price, time, asked, answered] = [100, 0, [], Promise.resolve()];
  reads = openRecentReads({ getMany: getMany as Table["getMany"] }, [Chairs], () => time);
});

/** Returns records with the price at the time of the request. Records whose id begins with "no" do not exist. */
async function getMany({ found = [] }: Record<string, readonly Read[]>) {
  asked.push(...found.map(({ key }) => key.pk));
  const records = found.map(({ key: { pk } }) => {
    const [, id = ""] = pk.split("#");
    return id.startsWith("no") ? undefined : { id, price };
  });
  await answered;
  return { found: records };
}

const chairs = (...ids: string[]) => ids.map((id) => at(Chairs, { id }));
const pricesOf = async (read: Table["getMany"], ...ids: string[]) =>
  (await read({ chairs: chairs(...ids) })).chairs.map((chair) => chair?.price);

test("the reader of recent records returns a record for two seconds without another read", async () => {
  expect(await pricesOf(reads.current, "oslo")).toEqual([100]);
  price = 200;
  time = 1_999;
  expect(await pricesOf(reads.current, "oslo", "bergen")).toEqual([100, 200]);
  expect(asked).toEqual(["chair#oslo", "chair#bergen"]);
  time = 2_000;
  expect(await pricesOf(reads.current, "oslo")).toEqual([200]);
});

test("records of other entities and records that do not exist are read each time", async () => {
  for (let time = 1; time <= 2; time++) {
    const found = await reads.current({
      coupons: [at(Coupons, { id: "ten" })],
      chairs: chairs("none", "oslo"),
    });
    expect(found).toEqual({
      coupons: [{ id: "ten", price: 100 }],
      chairs: [undefined, { id: "oslo", price: 100 }],
    });
  }
  expect(asked).toEqual(["coupon#ten", "chair#none", "chair#oslo", "coupon#ten", "chair#none"]);
});

test("`latest` always reads the table, and a following `current` reuses its result", async () => {
  await pricesOf(reads.current, "oslo");
  price = 200;
  expect(await pricesOf(reads.latest, "oslo")).toEqual([200]);
  expect(await pricesOf(reads.current, "oslo")).toEqual([200]);
});

test("a read that began earlier and ends later does not replace a newer record", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = promise;
  const slow = pricesOf(reads.current, "oslo");
  [price, time, answered] = [200, 1, Promise.resolve()];
  await pricesOf(reads.latest, "oslo");
  resolve();
  expect(await slow).toEqual([100]);
  expect(await pricesOf(reads.current, "oslo")).toEqual([200]);
});

test("the reader of recent records keeps at most 500 records", async () => {
  const ids = Array.from({ length: 300 }, (_, number) => String(number));
  const others = ids.map((id) => `x${id}`);
  await pricesOf(reads.current, ...ids);
  await pricesOf(reads.current, ...others);
  asked = [];
  await pricesOf(reads.current, ...others);
  expect(asked).toEqual([]);
  await pricesOf(reads.current, "0");
  expect(asked).toEqual(["chair#0"]);
});

test("the reads of a request reuse nothing from before it, but everything that the request has read", async () => {
  await pricesOf(reads.current, "oslo");
  price = 200;
  const own = reads.ofRequest();
  expect(await pricesOf(own.current, "oslo")).toEqual([200]);
  price = 300;
  expect(await pricesOf(own.current, "oslo", "bergen")).toEqual([200, 300]);
  expect(asked).toEqual(["chair#oslo", "chair#oslo", "chair#bergen"]);
  expect(await pricesOf(reads.current, "oslo")).toEqual([200]);
});
