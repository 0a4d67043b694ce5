import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const workflows = globSync(".github/workflows/*.yml");

test("every action of others is pinned by the hash of its release, whose tag could move", () => {
  const uses = workflows.flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(/uses: (.+)/g), ([, action]) => action!),
  );
  const others = uses.filter((action) => !action.startsWith("./"));
  expect(others.length).toBeGreaterThan(5);
  expect(
    others.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
  ).toEqual([]);
});

test("CI fetches HEAD's parent, without which .ci/run would not know a release", () => {
  expect(readFileSync(".github/workflows/ci.yml", "utf8")).toMatch(
    /uses: actions\/checkout.*\n +with:\n(?: +#.*\n)* +fetch-depth: 2\n/,
  );
});

test("CI runs the same command as a contributor", () => {
  expect(readFileSync(".github/workflows/ci.yml", "utf8")).toContain("run: bash .ci/run\n");
});
