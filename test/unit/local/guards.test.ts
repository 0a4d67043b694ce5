import { describe, expect, test } from "vitest";
import { unlessFound, watchTests } from "#test/support/stack/guards.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

const waits = {
  "for a claim": () =>
    waitUntil(() => {
      throw new Error("The metric is not counted yet");
    }),
  "for the work of a stack": () => unlessFound(new Promise(() => undefined)),
};

describe.each(Object.entries(waits))("a wait %s", (_of, wait) => {
  test("ends as soon as a guard has found a refused call, and names it", async () => {
    const findings = ["on-change-metrics writes metric"];
    const unwatch = watchTests(() => findings.splice(0));
    await expect(wait()).rejects.toThrow("on-change-metrics writes metric");
    unwatch();
  });
});
