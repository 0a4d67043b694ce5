import { afterAll, beforeAll, expect, test } from "vitest";
import { openRateCounters, uncount } from "#shared/storage/rate-counters.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

let fixture: TestTable;
beforeAll(async () => {
  fixture = await startTestTable();
});
afterAll(() => fixture.stop());

const call = { limit: "coupon", caller: "10.0.0.1", window: 29_000_000, seconds: 60 } as const;

test("rate-limited requests are counted by caller", async () => {
  const logged: string[] = [];
  const rates = openRateCounters(fixture.table, { error: (text) => void logged.push(text) });
  const counts = [await rates.increment(call), await rates.increment(call)];
  expect([...counts, await rates.increment({ ...call, caller: "10.0.0.2" })]).toEqual([1, 2, 1]);
  expect(logged).toEqual([]);
});

test("a request whose rate counter cannot be written is accepted and logged without its caller", async () => {
  const logged: string[] = [];
  const table = fixture.open({ name: "nowhere" });
  const rates = openRateCounters(table, {
    error: (text, facts) => void logged.push(`${text} ${JSON.stringify(facts)}`),
  });
  expect(await rates.increment(call)).toBe(1);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain("Rate limit skipped");
  expect(logged[0]).not.toContain(call.caller);
});

test("two windows of one caller are counted in one request and one row, and a transaction takes a request out of both", async () => {
  const rates = openRateCounters(fixture.table, { error: () => undefined });
  const hour = { limit: "login_pair_hour", caller: "a", window: 480_000, seconds: 3_600 } as const;
  const minute = (window: number) => ({ ...hour, inner: { limit: "login_pair", window } as const });
  const { calls } = await fixture.proxy.record(() => rates.incrementBoth(minute(28_800_000)));
  expect(calls.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
  expect(await rates.incrementBoth(minute(28_800_000))).toEqual({ outer: 2, inner: 2 });
  expect(await rates.incrementBoth(minute(28_800_001))).toEqual({ outer: 3, inner: 1 });
  await fixture.table.transact(uncount([minute(28_800_001)]));
  expect(await rates.incrementBoth({ ...minute(28_800_001), by: 0 })).toEqual({
    outer: 2,
    inner: 0,
  });
  expect(await rates.increment({ ...hour, by: 0 })).toBe(2);
});
