// @module-tag slow
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const command = join(import.meta.dirname, "../../dynamodb-local/run.ts");

/** Runs the command on a PATH with only these programs. */
function runWith(programs: Record<string, string>, args: readonly string[] = []) {
  const PATH = mkdtempSync(join(tmpdir(), "programs-"));
  onTestFinished(() => rmSync(PATH, { recursive: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(PATH, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: "utf8",
    env: { PATH },
  });
  return { status, lines: stderr.trimEnd().split("\n") };
}

test.each([
  [{}, "there is no Java 17: spawn java ENOENT"],
  [{ java: `echo 'openjdk version "11.0.2"' >&2` }, "it needs Java 17, but finds Java 11"],
  [{ java: "echo 'no room for a heap' >&2; exit 1" }, "there is no Java 17: no room for a heap"],
])("a reason why DynamoDB Local cannot start is explained in one line: %j", (programs, why) => {
  const lines = [`The storage tests were not run on DynamoDB Local: ${why}`];
  expect(runWith(programs)).toEqual({ status: 1, lines });
  expect(runWith(programs, ["--where-possible"])).toEqual({ status: 0, lines });
});
