// @module-tag slow
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectCopy, copyProject } from "./project-copy.ts";

let copy: ProjectCopy;
beforeEach(() => {
  copy = copyProject();
});
afterEach(() => copy.remove());

test.each([
  ["showroom", "--slug --public --pictures --hidden"],
  ["art-fair", "--prefix fair --pictures"],
])(
  "the noun that `npm run noun -- content %s %s` adds compiles and passes its tests",
  (name, flags) => {
    const { run } = copy;
    run("infra/cli/noun.ts", "content", name, ...flags.split(" "));
    run("infra/generated/generate.ts");
    run("infra/generated/generate.ts", "grants", `test/api/admin/content/${name}s.test.ts`);
    run("node_modules/.bin/tsc", "--noEmit");
    const tests = [`test/api/admin/content/${name}s.test.ts`, "test/unit/generated"];
    const vitest = "node_modules/vitest/vitest.mjs";
    run(vitest, "run", "--config", "test/vitest.config.ts", ...tests);
  },
  3_600_000,
);

test("a noun is not added over an existing file, and an incomplete command explains itself", () => {
  expect(() => copy.run("infra/cli/noun.ts", "content", "redirect", "--slug")).toThrow(
    "shared/domain/content/redirect.ts exists already.",
  );
  expect(() => copy.run("infra/cli/noun.ts", "content", "showroom")).toThrow("Usage: npm run noun");
});
