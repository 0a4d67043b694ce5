import { describe, expect, test } from "vitest";
import { openPublicMemory } from "#shared/runtime/public-memory.ts";

/** A memory whose state and clock the test sets. `made` counts how often a value was computed. */
function opened() {
  const world = { state: "1", now: 0, elapsed: 0, made: 0 };
  const memory = openPublicMemory(async () => world.state, {
    now: () => world.now,
    elapsed: () => world.elapsed,
  });
  const read = (key: string, { bytes = 10, until = Infinity, maxAgeMs = Infinity } = {}) =>
    memory.keep(key, async () => ({
      value: `${key} ${(world.made += 1)}`,
      bytes,
      until,
      maxAgeMs,
    }));
  return { world, memory, read };
}

describe("the cache of public records", () => {
  test("returns a value until the state of the public records changes", async () => {
    const { world, read } = opened();
    const before = [await read("a"), await read("a")];
    world.state = "2";
    expect([...before, await read("a"), await read("a")]).toEqual(["a 1", "a 1", "a 2", "a 2"]);
  });

  test("returns a value until the value's own time limit", async () => {
    const { world, read } = opened();
    await read("a", { until: 1_000 });
    world.now = 999;
    expect(await read("a", { until: 1_000 })).toBe("a 1");
    world.now = 1_000;
    expect(await read("a")).toBe("a 2");
  });

  test("returns a value until it has the age that it may have, whatever the time is", async () => {
    const { world, read } = opened();
    await read("a", { maxAgeMs: 2_000 });
    Object.assign(world, { now: 1_000_000, elapsed: 1_999 });
    expect(await read("a")).toBe("a 1");
    world.elapsed = 2_000;
    expect(await read("a")).toBe("a 2");
  });

  test("does not return a value if the state of the public records changed while the value was read", async () => {
    const { world, memory, read } = opened();
    await memory.keep("a", async () => {
      world.state = "2";
      return { value: "old", bytes: 10, until: Infinity };
    });
    expect(await read("a")).toBe("a 1");
  });

  test("removes the least recently used values beyond 24 MB", async () => {
    const { world, read } = opened();
    const eightMegabytes = { bytes: 8_000_000 };
    for (const key of ["a", "b", "c", "a", "d"]) await read(key, eightMegabytes);
    expect(world.made).toBe(4);
    expect(await read("a", eightMegabytes)).toBe("a 1");
    expect(await read("b", eightMegabytes)).toBe("b 5");
  });

  test("keeps neither failures nor values under very long keys", async () => {
    const { memory, read } = opened();
    await expect(memory.keep("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await read("a")).toBe("a 1");
    const long = "q".repeat(501);
    expect([await read(long), await read(long)]).toEqual([`${long} 2`, `${long} 3`]);
  });
});
