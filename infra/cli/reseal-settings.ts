import { settingsKeys } from "#functions/connect/keys.ts";
import { table as openTable } from "#functions/connect/table.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { resealed } from "#shared/application/staff/use-second-factor.ts";
import { type SecretGroup, secretGroups } from "#shared/domain/settings/setting-secrets.ts";
import { type SecretStore, changeSecrets, openSecrets } from "#shared/storage/settings/secrets.ts";
import { findSecondFactor, replaceSecondFactor } from "#shared/storage/staff/second-factors.ts";
import { openStaff } from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { unlessRefused } from "#shared/storage/writes.ts";

/**
 * Encrypts the secrets of every settings group with the current key. If staff save a group meanwhile, their save wins.
 * Run this five minutes after a rotation: until then, a function may still encrypt with the previous key.
 *
 * @returns the changed groups
 * @throws Error naming a group with a secret that no key can decrypt: do not rotate again before this is fixed
 */
export async function resealSettings(
  table: Table,
  secrets: Pick<SecretStore, "read">,
): Promise<SecretGroup[]> {
  const changed: SecretGroup[] = [];
  for (const group of secretGroups) {
    const read = await secrets.read(group);
    const lost = Object.keys(read.row?.sealed ?? {}).filter((name) => read.revealed[name] === null);
    if (lost.length > 0) throw new Error(`No key can decrypt ${lost.join(", ")} of ${group}.`);
    const write = changeSecrets(read, {});
    if (write && (await unlessRefused(table.write(write)))) changed.push(group);
  }
  return changed;
}

/**
 * Encrypts the secrets of staff's authenticator apps with the current key.
 *
 * @returns the number of changed users
 * @throws Unreadable if no key can decrypt one of these secrets: do not rotate again before this is fixed
 */
export async function resealSecondFactors(table: Table, keys: KeySource): Promise<number> {
  const staff = openStaff(table);
  const ring = await keys();
  let changed = 0;
  let after: Record<string, unknown> | undefined;
  do {
    const { records, next } = await staff.list({ limit: 100, after });
    for (const { id } of records) {
      const before = await findSecondFactor(table, id);
      const sealed = before && resealed(before, ring);
      if (!sealed) continue;
      // The write is refused if the user signed in meanwhile. The next run of the command tries again.
      const write = replaceSecondFactor(before, { ...before, sealed });
      if (await unlessRefused(table.write(write))) changed += 1;
    }
    after = next;
  } while (after);
  return changed;
}

async function run(): Promise<void> {
  if (!process.env["TABLE_NAME"])
    throw new RangeError("Set TABLE_NAME to the name of the shop's table.");
  if (!process.env["SETTINGS_SECRET"] && !process.env["SETTINGS_KEYS"]) {
    throw new RangeError("Set SETTINGS_SECRET to the ARN of the secret SettingsKeys.");
  }
  const table = openTable(process.env, {});
  const keys = settingsKeys(process.env, {});
  const changed = await resealSettings(table, openSecrets({ table, keys, log: console }));
  const factors = await resealSecondFactors(table, keys);
  const parts = [...changed, ...(factors > 0 ? [`second factors of ${factors} staff users`] : [])];
  console.log(
    parts.length === 0
      ? "Nothing to do: every secret is encrypted with the current key."
      : `Encrypted with the current key: ${parts.join(", ")}.`,
  );
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
