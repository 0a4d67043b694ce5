// @module-tag emulator
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { entity } from "#shared/storage/entity.ts";
import { put, update } from "#shared/storage/writes.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { StorageCall } from "#test/support/emulators/dynamodb-calls.ts";
import { type FaultScript, failing } from "#test/support/emulators/dynamodb-proxy.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

const Boxes = entity({
  name: "box",
  schema: z.object({ id: z.string(), units: z.int() }),
  key: ({ id }: { id: string }) => ({ pk: `BOX#${id}`, sk: "BOX" }),
});

let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());
afterEach(() => void vi.useRealTimers());

const box = { id: "timed", units: 5 };

describe("a timeout of DynamoDB", () => {
  test("does not occur for a slow response within the configured timeout", async () => {
    await here.table.write(put(Boxes, box));
    const read = (requestTimeout: number) =>
      here.proxy.disturb(failing(1, "slow"), () => here.open({ requestTimeout }).get(Boxes, box));
    await expect(read(100)).rejects.toBeInstanceOf(Unavailable);
    const { result, calls } = await read(60_000);
    expect(result).toEqual(box);
    expect(calls.map(({ attempt }) => attempt)).toEqual([1]);
  });

  test("is retried if the response comes after the configured timeout, and the write is applied once", async () => {
    await here.table.write(put(Boxes, box));
    const requestTimeout = 3_600_000;
    const table = here.open({ requestTimeout });
    const late = Promise.withResolvers<StorageCall>();
    const script: FaultScript = (call) => {
      if (call.attempt > 1) return undefined;
      late.resolve(call);
      return "answer-late";
    };
    // The timeout passes only for the first attempt, when the write has been applied.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const disturbed = here.proxy.disturb(script, () =>
      table.transact([update(Boxes, box, { add: { units: -1 } })]),
    );
    const applied = await late.promise;
    await waitUntil(() => expect(applied.writeUnits).toBeGreaterThan(0));
    vi.advanceTimersByTime(requestTimeout);
    const { calls } = await disturbed;
    expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await here.table.get(Boxes, box)).toMatchObject({ units: 4 });
  });
});
