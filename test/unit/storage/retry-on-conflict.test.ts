import { describe, expect, test } from "vitest";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { Refused } from "#shared/storage/writes.ts";

describe("a read-modify-write", () => {
  test("goes by what was read already, and reads again each time it was refused", async () => {
    const read: number[] = [];
    let next = 0;
    const result = await retryOnConflict(
      next,
      async () => (next += 1),
      async (value) => {
        read.push(value);
        if (value < 3) throw new Refused([]);
        return `stored ${value}`;
      },
    );
    expect([result, read]).toEqual(["stored 3", [0, 1, 2, 3]]);
  });

  test("gives up as unavailable, not as an error, and lets other errors through", async () => {
    const never = retryOnConflict(
      0,
      async () => 0,
      () => Promise.reject(new Refused([])),
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
