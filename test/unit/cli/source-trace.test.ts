// @module-tag slow
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { recipe } from "#infra/bundle/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "trace-"));
const entry = join(folder, "thrower.ts");
writeFileSync(
  entry,
  [
    "/** A comment that the bundle leaves out. */",
    "export function fail(reason: string): never {",
    "  throw new Error(reason);",
    "}",
    'try { fail("Out of oak") } catch (error) { console.log((error as Error).stack) }',
  ].join("\n"),
);
await build({ ...recipe, entryPoints: [entry], outfile: join(folder, "shop/index.cjs") });
const stack = execFileSync(process.execPath, [join(folder, "shop/index.cjs")], {
  encoding: "utf8",
});

const printed = (input: string) =>
  execFileSync(process.execPath, ["infra/cli/source.ts", "shop", "--bundles", folder], {
    input,
    encoding: "utf8",
  });

test("a stack trace of a bundle is printed with the places in the sources", () => {
  expect(stack).toMatch(/index\.cjs:\d+:\d+/);
  const [message, ...frames] = printed(stack).split("\n");
  expect(message).toBe("Error: Out of oak");
  expect(frames[0]).toContain(`${relative(process.cwd(), entry)}:3:`);
  expect(frames[1]).toContain(`${relative(process.cwd(), entry)}:5:`);
});

test("a log line that contains a stack trace is printed completely, with the places in the sources", () => {
  const line = JSON.stringify({ level: "ERROR", request_id: "r1", error: { stack } });
  const answer = printed(line);
  expect(answer).toContain('"request_id":"r1"');
  expect(answer).toContain(`${relative(process.cwd(), entry)}:3:`);
  expect(answer).not.toContain("index.cjs");
});
