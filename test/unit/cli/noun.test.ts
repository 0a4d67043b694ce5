// @module-tag slow
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ProjectCopy, copyProject } from "./project-copy.ts";

let copy: ProjectCopy;
beforeEach(() => {
  copy = copyProject();
});
afterEach(() => copy.remove());

/** A noun of each kind: the words of its command. */
const nouns = [
  "content showroom showrooms --slug --public --pictures --hidden",
  "content art-fair art-fairs --prefix fair --pictures",
  "catalog gift-registry gift-registries --slug --public --products",
].map((words) => words.split(" "));

/** The tests that CONTRIBUTING names for a new noun, after this command. */
function testsAfter(command: string): string[] {
  const text = readFileSync(join(copy.folder, ".github/CONTRIBUTING.md"), "utf8");
  const [, named = ""] = text.split(`\n${command} -- `);
  const [lines = ""] = named.split(/\n(?!  )/);
  return lines.split(/[\s\\]+/).filter((path) => !path.endsWith("/showrooms.test.ts"));
}

test("the nouns that `npm run noun` adds compile and pass the tests that CONTRIBUTING names", () => {
  const own = nouns.map(([family, , many]) => `test/api/admin/${family}/${many}.test.ts`);
  for (const words of nouns) copy.run("infra/cli/noun.ts", ...words);
  copy.run("infra/generated/generate.ts");
  const recording = testsAfter("npm run generate grants");
  copy.run("infra/generated/generate.ts", "grants", ...own, ...recording);
  copy.run("node_modules/.bin/tsc", "--noEmit");
  const named = testsAfter("npm test");
  expect(named).toContain("test/api/description");
  copy.run("test/run.ts", ...own, ...named);
}, 7_200_000);

test("a noun is not added over an existing file, and an incomplete command explains itself", () => {
  const redirect = ["content", "redirect", "redirects", "--slug"];
  expect(() => copy.run("infra/cli/noun.ts", ...redirect)).toThrow(
    "shared/domain/content/redirect.ts exists already.",
  );
  for (const words of [
    ["content", "showroom", "--slug"],
    ["content", "showroom", "showrooms"],
  ])
    expect(() => copy.run("infra/cli/noun.ts", ...words)).toThrow("Usage: npm run noun");
});
