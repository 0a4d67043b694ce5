import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { generators } from "#infra/generated/generated-files.ts";
import { rowSets } from "#test/support/releases/earlier.ts";
import project from "../../../package.json" with { type: "json" };

const fromSources = Object.entries(generators).filter(
  ([, { from, isIgnored }]) => from === "sources" && !isIgnored,
);

test.each(fromSources)(
  "the generated files of %s are current (`npm run generate` writes them)",
  async (_name, { contents }) => {
    for (const [path, content] of Object.entries(await contents([]))) {
      expect(await readFile(path, "utf8"), path).toBe(content);
    }
  },
);

describe("this release", () => {
  test("has a section in the changelog (`npm run generate changelog` writes it)", async () => {
    expect(await readFile(".github/CHANGELOG.md", "utf8")).toContain(
      `\n## [${project.version}] - `,
    );
  });

  test("has its rows (`npm run generate rows` writes them)", () => {
    expect(rowSets().get(project.version)?.length).toBeGreaterThan(0);
  });
});
