import { describe, expect, test } from "vitest";
import { defects } from "#test/memory-table/conformance/defects.ts";
import { differenceOf } from "#test/memory-table/conformance/differences.ts";
import { memoryEngine } from "#test/memory-table/conformance/engines.ts";
import { brokenRules } from "#test/memory-table/conformance/rules.ts";

/** What the conformance tests find in a table. */
async function findings(defective = memoryEngine()): Promise<string[]> {
  const difference = await differenceOf(defective, memoryEngine(), { runs: 60, seed: 20_261_128 });
  return [...(await brokenRules(defective, "")), ...(difference === undefined ? [] : [difference])];
}

describe("the conformance tests", () => {
  test("find nothing in the table in memory itself", async () => {
    expect(await findings()).toEqual([]);
  });

  test.each(Object.entries(defects))("find %s", async (_title, defect) => {
    expect(await findings(defect(memoryEngine()))).not.toEqual([]);
  });
});
