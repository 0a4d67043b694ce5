import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { oneAtATime } from "#infra/local/events/one-at-a-time.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "one-at-a-time-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const claim = () => join(folder, "kept", "claim");

describe("work that one process does at a time", () => {
  test("waits until earlier work has ended, even if that failed", async () => {
    const events: string[] = [];
    const work = (name: string, outcome: () => Promise<unknown>) =>
      oneAtATime(claim(), async () => {
        events.push(`${name} begins`);
        await outcome();
        events.push(`${name} ends`);
        return name;
      });
    const first = Promise.withResolvers<void>();
    const one = work("one", () => first.promise);
    const two = work("two", () => Promise.reject(new Error("no"))).catch(() => "failed");
    const three = work("three", () => Promise.resolve());
    expect(events).toEqual(["one begins"]);
    first.resolve();
    expect(await Promise.all([one, two, three])).toEqual(["one", "failed", "three"]);
    expect(events.slice(0, 2)).toEqual(["one begins", "one ends"]);
    expect(events.toSorted()).toEqual(
      ["one begins", "one ends", "three begins", "three ends", "two begins"].toSorted(),
    );
    expect(existsSync(claim())).toBe(false);
  });

  test("is not blocked by a process that has ended during its work", async () => {
    await oneAtATime(claim(), async () => undefined);
    const ended = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" });
    writeFileSync(claim(), ended.trim());
    expect(await oneAtATime(claim(), async () => "done")).toBe("done");
  });
});
