import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { entity } from "#shared/storage/entity.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { Refused, put } from "#shared/storage/writes.ts";

const Notes = entity({
  name: "note",
  schema: z.object({ text: z.string() }),
  key: () => ({ pk: "NOTE", sk: "NOTE" }),
});
const outdated = () =>
  new Refused([{ write: put(Notes, { text: "late" }), conflictingItem: undefined }]);

afterEach(() => void vi.useRealTimers());

describe("a read-modify-write", () => {
  test("first uses the record that was read before, and reads the record again after each conflict", async () => {
    const read: number[] = [];
    let next = 0;
    const result = await retryOnConflict(
      next,
      async () => (next += 1),
      async (value) => {
        read.push(value);
        if (value < 3) throw outdated();
        return `stored ${value}`;
      },
    );
    expect([result, read]).toEqual(["stored 3", [0, 1, 2, 3]]);
  });

  test("throws Unavailable at the request's deadline if every attempt conflicts", async () => {
    vi.useFakeTimers();
    const never = retryOnConflict(
      0,
      async () => 0,
      () => Promise.reject(outdated()),
    );
    await Promise.all([
      expect(never).rejects.toThrow(Unavailable),
      vi.advanceTimersByTimeAsync(10_000),
    ]);
  });

  test("throws other errors without a retry", async () => {
    const wrong = retryOnConflict(
      0,
      async () => 0,
      () => Promise.reject(new RangeError("no")),
    );
    await expect(wrong).rejects.toThrow(RangeError);
  });
});
