import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Numbers of the mutants whose code ran, where it was not switched on. */
    hits?: readonly string[];
    /** CPU time of the process so far, in ms. */
    cpuMs?: number;
  }
}

/** What instrumented code notes. */
const noted = globalThis as { __stryker__?: { mutantCoverage?: { static: object } } };

// Vitest runs this file before each test file.
// oxlint-disable-next-line no-empty-pattern -- Vitest takes the first parameter as a pattern of fixtures only.
afterAll(({}, suite) => {
  suite.meta.hits = Object.keys(noted.__stryker__?.mutantCoverage?.static ?? {});
  const { user, system } = process.cpuUsage();
  suite.meta.cpuMs = Math.round((user + system) / 1000);
});
