import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keptDirectory, removeOthers } from "#infra/bundle/kept-directory.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-directory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "cache", "bundles");
const filling = (content: string) => async (directory: string) =>
  writeFileSync(join(directory, "content"), content);
const content = () => readFileSync(join(path(), "content"), "utf8");

describe("a kept directory", () => {
  test("is filled once", async () => {
    expect(await keptDirectory(path(), filling("first"))).toBe(path());
    await keptDirectory(path(), filling("second"));
    expect(content()).toBe("first");
  });

  test("is the one that was complete first if several are filled at the same time", async () => {
    const other = Promise.withResolvers<void>();
    const slow = keptDirectory(path(), async (directory) => {
      await filling("slow")(directory);
      await other.promise;
    });
    await keptDirectory(path(), filling("fast"));
    other.resolve();
    expect(await slow).toBe(path());
    expect(content()).toBe("fast");
    expect(readdirSync(join(folder, "cache"))).toEqual(["bundles"]);
  });

  test("does not exist while it is incomplete or after its filling failed", async () => {
    const failing = keptDirectory(path(), async (directory) => {
      await filling("half")(directory);
      throw new Error("interrupted");
    });
    await expect(failing).rejects.toThrow("interrupted");
    expect(readdirSync(join(folder, "cache"))).toEqual([]);
    await keptDirectory(path(), filling("whole"));
    expect(content()).toBe("whole");
  });
});

test("removes the directories beside a kept one that nobody has used for some time", async () => {
  const beside = (name: string, secondsAgo: number) => {
    const directory = join(folder, "cache", name);
    mkdirSync(directory, { recursive: true });
    const used = Date.now() / 1000 - secondsAgo;
    utimesSync(directory, used, used);
  };
  removeOthers(path(), 60_000);
  beside("bundles", 600);
  beside("old", 600);
  beside("in-use", 10);
  writeFileSync(join(folder, "cache", "list.json"), "[]");
  utimesSync(join(folder, "cache", "list.json"), 0, 0);
  removeOthers(path(), 60_000);
  expect(readdirSync(join(folder, "cache")).toSorted()).toEqual(["bundles", "in-use", "list.json"]);
});
