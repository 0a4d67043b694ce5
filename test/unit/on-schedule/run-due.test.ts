import { expect, test } from "vitest";
import { type DueChecks, openRun, runDue } from "#shared/application/run-due.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { CartReminders } from "#shared/storage/marketing/cart-reminders.ts";
import { remove } from "#shared/storage/writes.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aShop } from "#test/support/shop/parts.ts";

interface Timer {
  readonly id: string;
  readonly attempts: number;
}

/** Runs checks of these timers, which stay due for ever. */
async function run(timers: readonly Timer[], overrides: Partial<DueChecks<Timer>>, fails = false) {
  let lists = 0;
  const logged: string[] = [];
  const write = remove(CartReminders, { customer: "cus_1" });
  const checks: DueChecks<Timer> = {
    list: async () => ((lists += 1) > 3 ? [] : [...timers]),
    groupBy: ({ id }) => id,
    per: "record",
    width: 3,
    run: async () => null,
    remove: () => write,
    schedule: () => write,
    facts: ({ id }) => ({ id }),
    messages: { failed: "failed", postponed: "postponed", notUpdated: "not updated" },
    ...overrides,
  };
  const log = (message: string) => void logged.push(message);
  const deps = aShop<Parameters<typeof runDue>[1]>({
    table: {
      transact: () => (fails ? Promise.reject(new Unavailable("away")) : Promise.resolve()),
    },
    log: { warn: log, error: log },
    now: () => noon,
  });
  const broken = await runDue(checks, deps, () => true);
  return { broken, lists, logged };
}

const many = Array.from({ length: 100 }, (_, position) => ({ id: `${position}`, attempts: 0 }));

test("due timers are listed again until fewer than a page are due", async () => {
  expect(await run(many, {})).toEqual({ broken: 0, lists: 4, logged: [] });
  expect((await run(many.slice(1), {})).lists).toBe(1);
});

test("a run ends if no timer can be updated, instead of repeating the same checks", async () => {
  const { lists, logged } = await run(many, {}, true);
  expect(lists).toBe(1);
  expect(new Set(logged)).toEqual(new Set(["not updated"]));
});

test("only an error that is not temporary counts as broken", async () => {
  const fail = (error: Error) => ({
    async run() {
      throw error;
    },
  });
  const [one] = many.map((timer) => [timer]);
  expect(await run(one ?? [], fail(new TypeError("no sense")))).toMatchObject({
    broken: 1,
    logged: ["failed"],
  });
  expect(await run(one ?? [], fail(new Unavailable("away")))).toMatchObject({
    broken: 0,
    logged: ["postponed"],
  });
  const isTemporary = () => true;
  const passing = { ...fail(new TypeError("no sense")), isTemporary };
  expect(await run(one ?? [], passing)).toMatchObject({ broken: 0, logged: ["postponed"] });
});

test("several timers of a record need one check, or one each in their order", async () => {
  const timers = [
    { id: "a", attempts: 0 },
    { id: "b", attempts: 1 },
    { id: "a", attempts: 2 },
  ];
  const checked: Timer[] = [];
  const note = async (timer: Timer) => {
    checked.push(timer);
    return null;
  };
  await run(timers, { run: note });
  expect(checked).toHaveLength(2);
  checked.length = 0;
  await run(timers, { run: note, per: "timer" });
  expect(checked.filter(({ id }) => id === "a")).toEqual([timers[0], timers[2]]);
});

test("no check is started after 35 seconds", () => {
  let clock = noon;
  const inTime = openRun(() => clock);
  clock = new Date(noon.getTime() + 34_999);
  expect(inTime()).toBe(true);
  clock = new Date(noon.getTime() + 35_000);
  expect(inTime()).toBe(false);
});
