import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localSettingsKeys, localTokenKeys } from "#infra/local/token-keys.ts";

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), "keys-")), "data");
});
afterEach(() => rmSync(join(directory, ".."), { recursive: true }));

test("local token keys are stored with the data, readable by this user only, and reused at the next start", async () => {
  const first = await localTokenKeys(directory);
  expect(await localTokenKeys(directory)).toEqual(first);
  const settings = await localSettingsKeys(directory);
  expect(await localSettingsKeys(directory)).toEqual(settings);
  for (const name of ["token-keys.json", "settings-keys.json"]) {
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
  }
});

test("local token keys without a data directory are new at every start and differ by guard", async () => {
  const [one, other] = [await localTokenKeys(undefined), await localTokenKeys(undefined)];
  const secrets = [one, other].flatMap(({ customer, staff }) => [
    customer.current.secret,
    staff.current.secret,
  ]);
  expect(new Set(secrets).size).toBe(4);
});
