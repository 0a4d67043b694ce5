import { globSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundles, shop } from "./deployed-shop.ts";

/** A sentence that only the local storefront has. */
const sentence = "Skip to the content";

/** The files below a directory that have the sentence, or a source of the local stack in their source map. */
function filesWithStorefront(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => {
      const text = readFileSync(file, "latin1");
      return text.includes(sentence) || (file.endsWith(".map") && text.includes("infra/local/"));
    });
}

test("no stack and no bundle contains the storefront, which is for this machine only", () => {
  expect(filesWithStorefront("infra/local/storefront")).not.toEqual([]);
  expect(filesWithStorefront(bundles)).toEqual([]);
  expect(filesWithStorefront(shop.app.synth().directory)).toEqual([]);
});

test("the storefront is an example that one can read: at most 2,000 lines of code", () => {
  const lines = globSync("infra/local/storefront/**/*.ts").flatMap((file) =>
    readFileSync(file, "utf8").split("\n"),
  );
  const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line));
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.length).toBeLessThanOrEqual(2_000);
});
