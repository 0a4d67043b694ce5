import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importInto } from "#infra/import.ts";
import { seedIfEmpty } from "#infra/local/seed-if-empty.ts";
import { type Stack, startStack } from "#infra/local/stack.ts";
import type { ExportFormat } from "#shared/domain/export.ts";
import { settingsGroupNames } from "#shared/domain/settings.ts";
import { SettingsRows } from "#shared/storage/settings.ts";
import { put } from "#shared/storage/writes.ts";
import { type JsonExport, exported, jsonOf } from "#test/support/exports.ts";
import { type World, worldOf } from "#test/support/people.ts";
import { type StaffClient, staffClient } from "#test/support/staff-client.ts";

interface Shop {
  readonly stack: Stack;
  readonly world: World;
  readonly owner: StaffClient;
}

// Two shops of this test's own: one that is full and one that is empty.
const folder = mkdtempSync(join(tmpdir(), "import-"));
let full: Shop;
let empty: Shop;
beforeAll(async () => {
  full = await aShop(seedIfEmpty);
  empty = await aShop();
  const rows = settingsGroupNames.map((group) => full.world.table.get(SettingsRows, { group }));
  for (const row of await Promise.all(rows)) {
    if (row) await empty.world.table.write(put(SettingsRows, row));
  }
});
afterAll(async () => {
  await Promise.all([full.stack.stop(), empty.stack.stop()]);
  rmSync(folder, { recursive: true });
});

async function aShop(seed?: typeof seedIfEmpty): Promise<Shop> {
  const stack = await startStack({ seed });
  const world = worldOf(stack.environment);
  await stack.settled();
  return { stack, world, owner: await staffClient(stack.baseUrl, world, "owner") };
}

type Type = "catalog" | "content";

/** An export as a file of its own. */
async function fileOf({ owner }: Shop, type: Type, format: ExportFormat = "json"): Promise<string> {
  const { file } = await exported(owner, type, format);
  return saved(`${owner.id}-${type}.${format}`, file);
}

function saved(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const bringIn = (shop: Shop, type: Type, file: string, options: object = {}) =>
  importInto(shop.world.table, type, file, {
    apply: false,
    overwrite: false,
    now: new Date(),
    ...options,
  });

describe.each(["catalog", "content"] as const)("an export of the %s", (type) => {
  test.each(["json", "csv"] as const)("as %s says nothing new to its own shop", async (format) => {
    const { outcomes, problems } = await bringIn(full, type, await fileOf(full, type, format), {
      apply: true,
    });
    expect(problems).toEqual([]);
    expect(outcomes).toMatchObject({ created: 0, updated: 0, unchanged: expect.any(Number) });
    expect(outcomes.unchanged).toBeGreaterThan(5);
  });

  test("brought into an empty shop gives the same export there", async () => {
    const file = await fileOf(full, type);
    const rehearsed = await bringIn(empty, type, file);
    expect(rehearsed.problems).toEqual([]);
    const applied = await bringIn(empty, type, file, { apply: true });
    expect(applied).toEqual(rehearsed);
    await empty.stack.settled();

    const [before, after] = await Promise.all(
      [full, empty].map(async ({ owner }) => jsonOf((await exported(owner, type)).file).records),
    );
    expect(after).toEqual(before);
    expect((await bringIn(empty, type, file, { apply: true })).outcomes).toMatchObject({
      created: 0,
      updated: 0,
    });
  });
});
