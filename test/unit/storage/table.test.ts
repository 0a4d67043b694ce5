import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { atLeast, is, isNew } from "#shared/storage/conditions.ts";
import { entity, projection, recordOf } from "#shared/storage/entity.ts";
import { at } from "#shared/storage/reads.ts";
import { Refused, check, put, remove, update } from "#shared/storage/writes.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type Fault, failing, failingOnce } from "#test/support/emulators/dynamodb-proxy.ts";
import { sequentialSteps } from "#test/support/emulators/dynamodb-calls.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const Boxes = entity({
  name: "box",
  schema: z.object({
    id: z.string(),
    units: z.int(),
    shelf: z.string().nullable(),
    note: z.string().optional(),
  }),
  key: ({ id }: { id: string }) => ({ pk: `BOX#${id}`, sk: "BOX" }),
  indexes: {
    gsi1: ({ shelf, id }) => (shelf === null ? undefined : { pk: `SHELF#${shelf}`, sk: id }),
  },
});
const Labels = entity({
  name: "label",
  schema: z.object({ code: z.string() }),
  key: ({ code }: { code: string }) => ({ pk: `LABEL#${code}`, sk: "LABEL" }),
});

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

let made = 0;
async function aBox(overrides: { units?: number; shelf?: string | null } = {}) {
  const box = { id: `b${(made += 1)}`, units: 5, shelf: null, ...overrides };
  await here.table.write(put(Boxes, box));
  return box;
}

async function refusal(work: Promise<unknown>): Promise<Refused> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refused);
  return error as Refused;
}

describe("a read of the table", () => {
  test("returns only the members of a projection, in a get, a batch and a query", async () => {
    const Shelves = projection(Boxes, ["id", "shelf"]);
    const { id, shelf } = await aBox({ shelf: "projected" });
    const batch = await here.table.getMany({ boxes: [at(Shelves, { id })] });
    const page = await here.table.page(Shelves, { index: "gsi1", partition: "SHELF#projected" });
    const reads = [await here.table.get(Shelves, { id }), ...batch.boxes, ...page.records];
    expect(reads).toEqual([1, 2, 3].map(() => ({ id, shelf })));
  });

  test("returns a record as it was stored, and undefined for a missing one", async () => {
    const box = await aBox();
    expect(await here.table.get(Boxes, box)).toEqual(box);
    expect(await here.table.get(Boxes, { id: "none" })).toBeUndefined();
  });

  test("omits a member that was written as undefined, instead of returning it as null", async () => {
    await here.table.write(put(Boxes, { id: "plain", units: 1, shelf: null, note: undefined }));
    expect(await here.table.get(Boxes, { id: "plain" })).toEqual({
      id: "plain",
      units: 1,
      shelf: null,
    });
  });

  test("returns many records in one request, in the requested order, with duplicates and undefined for missing ones", async () => {
    const [one, two] = [await aBox(), await aBox()];
    await here.table.write(put(Labels, { code: "red" }));
    const { result, calls } = await here.proxy.record(() =>
      here.table.getMany({
        boxes: [at(Boxes, two), at(Boxes, { id: "none" }), at(Boxes, one), at(Boxes, two)],
        labels: [at(Labels, { code: "red" })],
        nothing: [],
      }),
    );
    expect(result).toEqual({
      boxes: [two, undefined, one, two],
      labels: [{ code: "red" }],
      nothing: [],
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.partitions).toHaveLength(4);
  });

  test("makes no request for an empty list of keys", async () => {
    const { result, calls } = await here.proxy.record(() => here.table.getMany({ boxes: [] }));
    expect(result).toEqual({ boxes: [] });
    expect(calls).toEqual([]);
  });

  test("uses concurrent requests for more than 100 keys", async () => {
    const ids = Array.from({ length: 230 }, (_, number) => `row${number}`);
    await Promise.all(ids.map((id) => here.table.write(put(Boxes, { id, units: 1, shelf: null }))));
    const { result, calls } = await here.proxy.disturb(
      () => "slow",
      () => here.table.getMany({ boxes: ids.map((id) => at(Boxes, { id })) }),
    );
    expect(result.boxes.map((box) => box?.id)).toEqual(ids);
    expect(calls.map(({ partitions }) => partitions.length).toSorted((a, b) => a - b)).toEqual([
      30, 100, 100,
    ]);
    expect(sequentialSteps(calls)).toBe(1);
  });

  test("is strongly consistent, except from an index", async () => {
    const box = await aBox();
    const { calls } = await here.proxy.record(async () => {
      await here.table.get(Boxes, box);
      await here.table.getMany({ boxes: [at(Boxes, box)] });
      await here.table.page(Boxes, { partition: `BOX#${box.id}` });
    });
    expect(calls.map(({ consistent }) => consistent)).toEqual([true, true, true]);
  });

  test("paginates a partition of an index in both directions", async () => {
    const boxes = [
      await aBox({ shelf: "north" }),
      await aBox({ shelf: "north" }),
      await aBox({ shelf: "north" }),
    ];
    const onShelf = { index: "gsi1", partition: "SHELF#north" } as const;
    const first = await here.table.page(Boxes, onShelf, { limit: 2 });
    const second = await here.table.page(Boxes, onShelf, { limit: 2, after: first.next });
    expect([...first.records, ...second.records]).toEqual(boxes);
    expect(second.next).toBeUndefined();
    const newest = await here.table.page(Boxes, { ...onShelf, newestFirst: true });
    expect(newest.records).toEqual(boxes.toReversed());
    const some = await here.table.page(Boxes, { ...onShelf, prefix: boxes[1]?.id ?? "" });
    expect(some.records).toEqual([boxes[1]]);
  });
});

describe("a write to the table", () => {
  test("returns the updated item, which can be parsed as a record", async () => {
    const box = await aBox({ units: 5 });
    const after = await here.table.write(
      update(Boxes, box, { add: { units: -2 }, set: { note: "moved" } }),
    );
    expect(recordOf(Boxes, after ?? {})).toEqual({ ...box, units: 3, note: "moved" });
  });

  test("keeps members of a newer release in a read-modify-write by an older one", async () => {
    const Newer = entity({
      ...Boxes,
      schema: Boxes.schema.extend({ seal: z.object({ code: z.string() }) }),
    });
    const box = { id: "sealed", units: 5, shelf: null, seal: { code: "s1" } };
    await here.table.write(put(Newer, box));

    const before = await here.table.get(Boxes, box);
    expect(Object.keys(before ?? {}).toSorted()).toEqual(["id", "shelf", "units"]);
    await here.table.write(put(Boxes, { ...before!, units: 4 }, is("units", 5)));
    expect(await here.table.get(Newer, box)).toEqual({ ...box, units: 4 });

    await here.table.transact([update(Boxes, box, { add: { units: -1 } })]);
    expect(await here.table.get(Newer, box)).toEqual({ ...box, units: 3 });
  });

  test("stores an update even if the row then does not match its schema", async () => {
    const { id } = await aBox();
    await here.table.write(update(Boxes, { id }, { set: { units: "many" } }));
    await expect(here.table.get(Boxes, { id })).rejects.toThrow(
      `does not fit the schema of box: BOX#${id} BOX, at .units`,
    );
  });

  test("is refused if its condition fails, with the conflicting item", async () => {
    const box = await aBox({ units: 5 });
    const write = update(Boxes, box, { add: { units: -6 } }, atLeast("units", 6));
    const error = await refusal(here.table.write(write));
    expect(error.first.write).toBe(write);
    expect(error.first.conflictingItem).toMatchObject({ id: box.id, units: 5 });
    expect(await here.table.get(Boxes, box)).toEqual(box);
  });

  test("applies all writes of a transaction or none, and the refusal lists exactly the failed writes", async () => {
    const [full, empty] = [await aBox({ units: 5 }), await aBox({ units: 0 })];
    const takes = [full, empty].map((box) =>
      update(Boxes, box, { add: { units: -1 } }, atLeast("units", 1)),
    );
    const fresh = put(Labels, { code: "once" }, isNew);
    const error = await refusal(here.table.transact([fresh, ...takes]));
    expect(error.failures.map(({ write }) => write)).toEqual([takes[1]]);
    expect(error.first.conflictingItem).toMatchObject({ id: empty.id, units: 0 });
    expect(await here.table.get(Labels, { code: "once" })).toBeUndefined();
    expect(await here.table.get(Boxes, full)).toEqual(full);
  });

  test("throws the error of the first refused write of a transaction", async () => {
    const box = await aBox({ units: 0 });
    const taken = new RangeError("The label is taken");
    const empty = new RangeError("The box is empty");
    const label = put(Labels, { code: `label of ${box.id}` }, isNew);
    const claim = { write: label, refused: () => taken };
    const take = update(Boxes, box, { add: { units: -1 } }, atLeast("units", 1));
    const units: number[] = [];
    const counted = {
      write: take,
      refused({ first }: Refused) {
        units.push(Number(first.conflictingItem?.["units"]));
        return empty;
      },
    };
    await expect(here.table.transact([claim, counted])).rejects.toBe(empty);
    await here.table.write(claim);
    await expect(here.table.transact([claim, counted])).rejects.toBe(taken);
    await expect(here.table.transact([counted, claim])).rejects.toBe(empty);
    await expect(here.table.write(claim)).rejects.toBe(taken);
    // If the refused write declares no error, Refused is thrown, so that the caller can retry with a fresh read.
    await expect(here.table.transact([take, claim])).rejects.toThrow(Refused);
    expect(units).toEqual([0, 0]);
  });

  test("can include a condition check that writes nothing", async () => {
    const [guard, gone] = [await aBox({ units: 5 }), await aBox()];
    await here.table.transact([check(Boxes, guard, is("units", 5)), remove(Boxes, gone)]);
    expect(await here.table.get(Boxes, gone)).toBeUndefined();
    const stale = check(Boxes, guard, is("units", 4));
    const error = await refusal(here.table.transact([stale, put(Labels, { code: "never" })]));
    expect(error.first.write).toBe(stale);
    expect(await here.table.get(Labels, { code: "never" })).toBeUndefined();
  });
});

describe("a failure of DynamoDB", () => {
  const passing: Fault[] = ["reset", "server-error", "throttled", "answer-lost"];

  test.each(passing)("has no visible effect if it is a single %s", async (fault) => {
    const box = await aBox();
    const { result, calls } = await here.proxy.disturb(failingOnce(1, fault), () =>
      here.table.get(Boxes, box),
    );
    expect(result).toEqual(box);
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test.each(passing)(
    "throws Unavailable after three attempts if it is a permanent %s",
    async (fault) => {
      const box = await aBox();
      await here.proxy.disturb(failing(1, fault), async () => {
        await expect(here.table.get(Boxes, box)).rejects.toBeInstanceOf(Unavailable);
      });
    },
  );

  test("does not apply a transaction twice if the response was lost", async () => {
    const box = await aBox({ units: 5 });
    const { calls } = await here.proxy.disturb(failingOnce(1, "answer-lost"), () =>
      here.table.transact([update(Boxes, box, { add: { units: -1 } })]),
    );
    expect(calls).toHaveLength(2);
    expect(await here.table.get(Boxes, box)).toMatchObject({ units: 4 });
  });

  test("does not make a retried conditional put conflict with its own first attempt", async () => {
    const label = put(Labels, { code: "lost" }, isNew);
    await here.proxy.disturb(failingOnce(1, "answer-lost"), () => here.table.write(label));
    expect(await here.table.get(Labels, { code: "lost" })).toEqual({ code: "lost" });
    // Only a retry after a lost response accepts an equal item as its own. This write is a new one, so it is refused.
    await refusal(here.table.write(label));
  });

  test("is retried with exponential backoff and jitter if transactions conflict", async () => {
    const box = await aBox({ units: 5 });
    here.pauses.length = 0;
    const { calls } = await here.proxy.disturb(
      (_call, position) => (position <= 4 ? "conflict" : undefined),
      () => here.table.transact([update(Boxes, box, { add: { units: -1 } })]),
    );
    expect(calls).toHaveLength(5);
    expect(await here.table.get(Boxes, box)).toMatchObject({ units: 4 });
    expect(here.pauses).toHaveLength(4);
    for (const [index, ms] of here.pauses.entries())
      expect(ms).toBeLessThanOrEqual(Math.min(400, 30 * 2 ** index));
  });

  test("is refused like a failed condition after the number of conflicts that the caller allows", async () => {
    const box = await aBox({ units: 5 });
    const take = update(Boxes, box, { add: { units: -1 } });
    const taken = new RangeError("The box is empty");
    const { result: error, calls } = await here.proxy.disturb(
      () => "conflict",
      () =>
        refusal(here.table.transact([{ write: take, refused: () => taken }], { maxConflicts: 3 })),
    );
    expect(calls).toHaveLength(3);
    expect(error.failures).toEqual([{ write: take, conflictingItem: undefined }]);
    expect(await here.table.get(Boxes, box)).toEqual(box);
  });

  test("is retried if a single write conflicts with a transaction", async () => {
    const box = await aBox({ units: 5 });
    const { calls } = await here.proxy.disturb(
      (_call, position) => (position <= 3 ? "conflict" : undefined),
      () => here.table.write(update(Boxes, box, { add: { units: -1 } })),
    );
    expect(calls).toHaveLength(4);
    expect(await here.table.get(Boxes, box)).toMatchObject({ units: 4 });
  });
});
