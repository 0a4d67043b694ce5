import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { searchByName } from "#shared/storage/order/order-name-search.ts";
import {
  OrderNames,
  OrdersOfName,
  eraseNames,
  followNames,
  namePlace,
  namesBeginning,
} from "#shared/storage/order/order-names.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import type { Table } from "#shared/storage/table.ts";
import { type Write, put } from "#shared/storage/writes.ts";
import { anId } from "#test/support/shop/commerce.ts";
import { totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let shop: TestTable;
beforeAll(async () => {
  shop = await startTestTable();
});
afterAll(() => shop.stop());

function anOrder(number: number, name: string): StoredOrder {
  const placed = aPlacedOrder();
  return {
    ...placed,
    id: anId("ord", number),
    placed_at: new Date(Date.parse(placed.placed_at) + number).toISOString(),
    customer: { ...placed.customer, name },
    addresses: { ...placed.addresses, shipping: { ...placed.addresses.shipping, name } },
  };
}

const rowsOf = async (word: string) =>
  (await shop.table.page(OrdersOfName, namesBeginning(word))).records;
const everyOrder = { from: null, until: null, matches: () => true };

describe("the lookup rows for the names of an order", () => {
  test("match its current names after repeated and concurrent updates", async () => {
    const names = ["Kiran Bose", "Kiran Sen", "Mira Sen", "Mira Bose"];
    for (const [version, name] of [...names, ...names].entries()) {
      await shop.table.write(put(Orders, { ...anOrder(0, name), version: version + 1 }));
      await Promise.all(Array.from({ length: 4 }, () => followNames(shop.table, [anId("ord", 0)])));
    }
    const rows = await Promise.all(["kiran", "sen", "mira", "bose"].map(rowsOf));
    expect(rows.map((of) => of.length)).toEqual([0, 0, 1, 1]);
    expect(rows.flat().map(({ words }) => words)).toEqual([
      ["bose", "mira"],
      ["bose", "mira"],
    ]);
  });

  test("do not exist for a missing order and are never restored for an erased one", async () => {
    await followNames(shop.table, ["ord_none"]);
    expect(await shop.table.get(OrderNames, { order_id: "ord_none" })).toBeUndefined();
    const order = anOrder(1, "Tara Iyer");
    await shop.table.write(put(Orders, order));
    await Promise.all([
      followNames(shop.table, [order.id]),
      eraseNames(shop.table, order),
      followNames(shop.table, [order.id]),
    ]);
    await eraseNames(shop.table, order);
    await followNames(shop.table, [order.id]);
    expect([...(await rowsOf("tara")), ...(await rowsOf("iyer"))]).toEqual([]);
  });

  test("are written for a batch of orders, except for missing and erased ones", async () => {
    const orders = Array.from({ length: 30 }, (_, number) =>
      anOrder(100 + number, `Batch Buyer Name ${"abcdefghij".charAt(number % 10)}`),
    );
    for (const order of orders) await shop.table.write(put(Orders, order));
    await eraseNames(shop.table, orders[3]!);
    await followNames(shop.table, ["ord_none", ...orders.map(({ id }) => id)]);
    await followNames(shop.table, [orders[5]!.id, orders[6]!.id]);
    const found = (await rowsOf("batch")).map(({ order_id }) => order_id);
    const expected = orders.filter((_, position) => position !== 3).map(({ id }) => id);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test("support names of the maximum length", async () => {
    const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(0x61 + at));
    const order = anOrder(
      2,
      letters
        .flatMap((one) => [one, `${one}q`])
        .join(" ")
        .slice(0, 118),
    );
    await shop.table.write(put(Orders, order));
    await followNames(shop.table, [order.id]);
    await shop.table.write(put(Orders, { ...anOrder(2, "Q".repeat(120)), version: 2 }));
    await followNames(shop.table, [order.id]);
    expect(await rowsOf("aq")).toEqual([]);
    expect(await rowsOf("qqq")).toHaveLength(1);
  });
});

/** Stores orders of a person of that name, with their lookup rows. */
async function putOrdersOf(words: string[], first: number, count: number): Promise<void> {
  const writes: Write[] = [];
  for (let number = first; number < first + count; number++) {
    const order = anOrder(number, words.join(" "));
    const { placed_at } = order;
    writes.push(
      put(Orders, order),
      ...words.map((word) => put(OrdersOfName, { ...namePlace(word, order), placed_at, words })),
    );
  }
  await shop.table.writeMany(writes);
}

test("a search by one word reads one row more than its page, if every row matches", async () => {
  await putOrdersOf(["sona"], 9_000, 60);
  let rows = 0;
  const table: Table = {
    ...shop.table,
    async page(of, range, options) {
      const page = await shop.table.page(of, range, options);
      rows += page.records.length;
      return page;
    },
  };
  const page = { limit: 24, after: undefined };
  const { records } = await searchByName(table, ["sona"], everyOrder, page);
  expect([records.length, rows]).toEqual([24, 25]);
});

test(
  "the cost of a search by name depends on the page, not on the number of matches",
  { tags: "slow" },
  async () => {
    const costs: number[][] = [];
    const asked = [["lata"], ["nair", "lat"]];
    let number = 1_000;
    for (const size of [130, 700]) {
      await putOrdersOf(["lata", "nair"], number, size);
      number += size;
      const units: number[] = [];
      for (const words of asked) {
        const { calls, result } = await shop.proxy.record(() =>
          searchByName(shop.table, words, everyOrder, { limit: 24, after: undefined }),
        );
        expect(result.records).toHaveLength(24);
        expect(result.records[0]?.id).toBe(anId("ord", number - 1));
        units.push(totalUnits(calls).read);
      }
      costs.push(units);
    }
    expect(costs[1]).toEqual(costs[0]);
  },
);

test(
  "a search by name without matches ends its page after a limited number of rows and continues from its cursor",
  { tags: "slow" },
  async () => {
    await putOrdersOf(["mira", "rao"], 5_000, 800);
    const nobody = ["rao", "mira", "zzz"];
    const { calls, result } = await shop.proxy.record(() =>
      searchByName(shop.table, nobody, everyOrder, { limit: 24, after: undefined }),
    );
    expect([result.records, result.next]).toEqual([[], expect.anything()]);
    expect(calls.length).toBeLessThanOrEqual(7);
    const matches = () => false;
    const filtered = await shop.proxy.record(() =>
      searchByName(
        shop.table,
        ["mira"],
        { ...everyOrder, matches },
        { limit: 24, after: undefined },
      ),
    );
    expect(filtered.result.next).toBeDefined();
    expect(filtered.calls.length).toBeLessThanOrEqual(20);
    const single = await shop.proxy.record(() =>
      searchByName(
        shop.table,
        ["mira"],
        { ...everyOrder, matches },
        { limit: 1, after: undefined },
      ),
    );
    expect(single.calls.length).toBeLessThanOrEqual(20);
  },
);
