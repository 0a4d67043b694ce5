import { describe, expect, test } from "vitest";
import * as z from "zod";
import { entity } from "#shared/storage/entity.ts";
import { at } from "#shared/storage/reads.ts";
import { openTable } from "#shared/storage/table.ts";
import { Refused, put, update } from "#shared/storage/writes.ts";
import { atLeast, is } from "#shared/storage/conditions.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { failing, transactionsTogether } from "#test/support/emulators/dynamodb-proxy.ts";
import { memoryDynamoDb } from "#test/memory-table/addresses.ts";
import { openMemoryTable, rowsOf } from "#test/memory-table/memory-table.ts";

const Boxes = entity({
  name: "box",
  schema: z.object({ id: z.string(), units: z.int(), shelf: z.string() }),
  key: ({ id }: { id: string }) => ({ pk: `BOX#${id}`, sk: "BOX" }),
  indexes: { gsi1: ({ shelf, id }) => ({ pk: `SHELF#${shelf}`, sk: id }) },
});
const box = { id: "b1", units: 5, shelf: "north" };
const onShelf = { index: "gsi1", partition: "SHELF#north" } as const;

function opened(memory = openMemoryTable()) {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  return { memory, pauses, table: openTable({ name: memory.name, client: memory.client, pause }) };
}

/** Reads the units, and stores one less if nobody has changed them meanwhile. */
async function takeOne({ table }: ReturnType<typeof opened>): Promise<void> {
  const { units } = (await table.get(Boxes, box))!;
  await table.transact([update(Boxes, box, { set: { units: units - 1 } }, is("units", units))]);
}

describe("reads that lag", () => {
  test("show the index as it was before an item's last write, and consistent reads the item as it is", async () => {
    const { memory, table } = opened();
    await table.write(put(Boxes, box));
    await memory.lagging(["box"], async () => {
      await table.write(update(Boxes, box, { add: { units: 1 } }));
      await table.write(put(Boxes, { ...box, id: "b2" }));
      const { records } = await table.page(Boxes, onShelf);
      expect(records).toEqual([box]);
      expect(await table.get(Boxes, box)).toEqual({ ...box, units: 6 });
      await table.write(put(Boxes, { ...box, id: "b2", units: 9 }));
      expect((await table.page(Boxes, onShelf)).records).toEqual([box, { ...box, id: "b2" }]);
    });
    expect((await table.page(Boxes, onShelf)).records.map(({ units }) => units)).toEqual([6, 9]);
  });

  test("concern the named entities only", async () => {
    const { memory, table } = opened();
    await memory.lagging(["crate"], async () => {
      await table.write(put(Boxes, box));
      expect((await table.page(Boxes, onShelf)).records).toEqual([box]);
    });
  });
});

describe("a barrier", () => {
  test("holds transactions until all have read the same state, so that one of them is refused", async () => {
    const here = opened();
    await here.table.write(put(Boxes, box));
    const { result } = await here.memory.disturb(transactionsTogether(2), () =>
      Promise.allSettled([takeOne(here), takeOne(here)]),
    );
    const reasons = result.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(reasons).toEqual([expect.any(Refused)]);
    expect(await here.table.get(Boxes, box)).toMatchObject({ units: 4 });
  });
});

describe("a fault", () => {
  test("leaves parts of a batch unprocessed, which are sent again", async () => {
    const { memory, pauses, table } = opened();
    const boxes = ["1", "2", "3", "4"].map((id) => ({ ...box, id }));
    const writing = await memory.disturb(
      (_call, position) => (position === 1 ? "partial" : undefined),
      () => table.writeMany(boxes.map((each) => put(Boxes, each))),
    );
    const reading = await memory.disturb(
      (_call, position) => (position === 1 ? "partial" : undefined),
      () => table.getMany({ boxes: boxes.map((each) => at(Boxes, each)) }),
    );
    expect(reading.result.boxes).toEqual(boxes);
    expect([writing, reading].map(({ calls }) => calls.map(({ operation }) => operation))).toEqual([
      ["BatchWriteItem", "BatchWriteItem"],
      ["BatchGetItem", "BatchGetItem"],
    ]);
    expect(pauses).toHaveLength(2);
  });

  test("of a throttled table lasts three attempts, and changes nothing", async () => {
    const { memory, table } = opened();
    const { calls } = await memory.disturb(failing(1, "throttled"), async () => {
      await expect(table.write(put(Boxes, box))).rejects.toBeInstanceOf(Unavailable);
    });
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(memory.items()).toEqual([]);
  });

  test("is that of one client: others of the same rows have none", async () => {
    const { memory, table } = opened();
    const other = opened(memory.another());
    const { calls } = await memory.disturb(failing(1, "conflict"), async () => {
      await other.table.write(put(Boxes, box));
      await table.get(Boxes, box).catch(() => undefined);
    });
    expect(calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
    expect(await table.get(Boxes, box)).toEqual(box);
  });
});

test("tables that begin with the same rows change only their own", async () => {
  const beginning = rowsOf([{ pk: "BOX#b1", sk: "BOX", entity: "box", ...box }]);
  const [one, other] = [1, 2].map(() => opened(openMemoryTable({ beginning }))) as [
    ReturnType<typeof opened>,
    ReturnType<typeof opened>,
  ];
  await one.table.write(update(Boxes, box, { add: { units: -1 } }, atLeast("units", 1)));
  await one.table.write(put(Boxes, { ...box, id: "b2" }));
  expect(await one.table.get(Boxes, box)).toMatchObject({ units: 4 });
  expect(other.memory.items()).toEqual([expect.objectContaining({ id: "b1", units: 5 })]);
});

test("a reader of the changes is woken by a write, and reads rejected changes again", async () => {
  const { memory, table } = opened();
  const source = memoryDynamoDb(memory).openChanges!();
  const woken = new Promise<void>((resolve) => source.onChange?.(resolve));
  await table.write(put(Boxes, box));
  await woken;
  await expect(source.read(async () => Promise.reject(new Error("not now")))).rejects.toThrow();
  const names: unknown[] = [];
  const count = await source.read(async (records) => {
    names.push(
      ...records.map(({ eventName, dynamodb }) => [eventName, dynamodb?.NewImage?.["id"]]),
    );
  });
  expect([count, names]).toEqual([1, [["INSERT", { S: "b1" }]]]);
  expect(await source.read(async () => undefined)).toBe(0);
  source.close();
});
