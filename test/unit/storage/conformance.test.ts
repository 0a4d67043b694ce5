import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differenceOf } from "#test/memory-table/conformance/differences.ts";
import { type Engine, everyEngine } from "#test/memory-table/conformance/engines.ts";
import { rules, wantedOf } from "#test/memory-table/conformance/rules.ts";

let engines: Engine[];
beforeAll(async () => {
  engines = await everyEngine();
});
afterAll(async () => {
  for (const engine of engines ?? []) await engine.stop();
});

describe("the table in memory does what DynamoDB does", () => {
  test.each(rules)("$title", async (rule) => {
    for (const engine of engines) {
      const did = await rule.attempt(engine, `${randomUUID()}#`);
      expect(did, engine.name).toEqual(wantedOf(rule, engine));
    }
  });

  test("in random sequences of requests, as the emulator and DynamoDB Local do", async () => {
    const [memory, ...others] = engines;
    for (const other of others) {
      expect(await differenceOf(memory!, other, { runs: 60, seed: 20_261_128 })).toBeUndefined();
    }
  });
});
