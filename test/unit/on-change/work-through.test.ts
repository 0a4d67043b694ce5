import { describe, expect, test } from "vitest";
import * as z from "zod";
import { workThrough } from "#functions/on-change/work-through.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { aMessage } from "#test/support/emulators/queues.ts";

const Names = z.object({ changes: z.array(z.object({ name: z.string() })) });
const message = (...names: string[]) => aMessage({ changes: names.map((name) => ({ name })) });

/** Processes messages with a consumer that fails for some names. */
async function through(
  records: ReturnType<typeof aMessage>[],
  bad: ReadonlySet<string>,
  failure = () => new Error("poison"),
) {
  const worked: string[] = [];
  const logged: string[] = [];
  let attempts = 0;
  const { batchItemFailures } = await workThrough(
    records,
    Names,
    async (changes) => {
      attempts += 1;
      if (changes.some(({ name }) => bad.has(name))) throw failure();
      worked.push(...changes.map(({ name }) => name));
    },
    { error: (text) => void logged.push(text) },
  );
  const failed = batchItemFailures.map(({ itemIdentifier }) =>
    records.findIndex(({ messageId }) => messageId === itemIdentifier),
  );
  return { worked, failed, attempts, logged };
}

describe("a batch of queued changes", () => {
  test("is processed in one call, with each distinct change once", async () => {
    const done = await through([message("a", "b"), message("b", "c")], new Set());
    expect(done).toEqual({ worked: ["a", "b", "c"], failed: [], attempts: 1, logged: [] });
  });

  test("processes every other change if one always fails", async () => {
    const records = [message("a", "poison", "b"), message("c"), message("d", "e")];
    const { worked, failed, logged } = await through(records, new Set(["poison"]));
    expect(worked.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect(failed).toEqual([0]);
    expect(logged.length).toBeGreaterThan(0);
  });

  test("retries only messages that cannot be parsed, and processes the others", async () => {
    const records = [
      aMessage({ changes: [{ unheard: "of" }] }),
      { ...aMessage({}), body: "no JSON" },
      message("a"),
    ];
    const { worked, failed, logged } = await through(records, new Set());
    expect([worked, failed]).toEqual([["a"], [0, 1]]);
    expect(logged).toEqual(["Queue message could not be read", "Queue message could not be read"]);
  });

  test("is retried as a whole after one attempt if a dependency is unavailable", async () => {
    const away = () => new Unavailable("S3 is away");
    const records = [message("a"), message("b"), message("c")];
    const { failed, attempts } = await through(records, new Set(["b"]), away);
    expect([failed, attempts]).toEqual([[0, 1, 2], 1]);
  });

  test("takes fewer than 30 attempts even if it has a thousand changes that all fail", async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`);
    const { failed, attempts } = await through(
      names.map((name) => message(name)),
      new Set(names),
    );
    expect(failed).toHaveLength(1_000);
    expect(attempts).toBeLessThan(30);
  });
});
