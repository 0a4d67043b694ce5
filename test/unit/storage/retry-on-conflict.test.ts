import { describe, expect, test } from "vitest";
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

describe("a read-modify-write", () => {
  test("uses its first read, and reads again after each conflict", async () => {
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

  test("ends with Unavailable after too many conflicts, and passes other errors on", async () => {
    const never = retryOnConflict(
      0,
      async () => 0,
      () => Promise.reject(outdated()),
    );
    await expect(never).rejects.toThrow(Unavailable);
    const wrong = retryOnConflict(
      0,
      async () => 0,
      () => Promise.reject(new RangeError("no")),
    );
    await expect(wrong).rejects.toThrow(RangeError);
  });
});
