import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { withinDeadline } from "#shared/runtime/deadline.ts";
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

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

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

  /** An attempt that always conflicts, on its own clock. */
  function conflicting() {
    vi.useFakeTimers();
    let tries = 0;
    const attempt = () => {
      tries += 1;
      return Promise.reject(outdated());
    };
    const run = () => retryOnConflict(0, async () => 0, attempt).catch((error: unknown) => error);
    return { run, tries: () => tries };
  }

  test.each([
    { multiplier: undefined, seconds: 8 },
    { multiplier: "10", seconds: 80 },
  ])(
    "is retried for $seconds seconds if every attempt conflicts and TIMEOUT_MULTIPLIER is $multiplier, and then throws Unavailable",
    async ({ multiplier, seconds }) => {
      vi.stubEnv("TIMEOUT_MULTIPLIER", multiplier);
      const { run, tries } = conflicting();
      const outcome = run();
      await vi.advanceTimersByTimeAsync(1_000 * (seconds - 1));
      const before = tries();
      // Pauses take up to 0.4 seconds.
      await vi.advanceTimersByTimeAsync(1_400);
      expect(tries()).toBeGreaterThan(before);
      expect(await outcome).toBeInstanceOf(Unavailable);
    },
  );

  test("throws Unavailable at the request's deadline if that comes earlier", async () => {
    const { run, tries } = conflicting();
    let outcome: unknown;
    const work = async () => {
      outcome = await run();
    };
    const limited = withinDeadline(3_000, work).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([await limited, outcome]).toEqual([expect.any(Unavailable), expect.any(Unavailable)]);
    expect(tries()).toBeGreaterThan(1);
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
