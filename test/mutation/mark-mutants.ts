import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** The mutants whose code this process ran. */
    hits?: readonly string[];
  }
}

const hits = new Set<string>();

/** Asked wherever a source has a mutant: whether it is switched on. */
const shared = globalThis as { mutant?: (id: string) => boolean };
shared.mutant = (id) => {
  hits.add(id);
  return id === process.env["MUTANT"];
};

// Vitest runs this file before each test file.
// oxlint-disable-next-line no-empty-pattern -- Vitest takes the first parameter as a pattern of fixtures only.
afterAll(({}, suite) => {
  suite.meta.hits = [...hits];
});
