import { randomBytes } from "node:crypto";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { connectKeys } from "#functions/connect/keys.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import type { NestedRateCounters } from "#shared/domain/request/rate-limits.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type RoleStore, openRoles } from "#shared/storage/staff/roles.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";

export interface Deps extends StaffFamilyDeps {
  staff: StaffStore;
  roles: RoleStore;
  settings: SettingsStore<"store" | "security">;
  /** Signing keys of staff tokens. */
  keys: KeySource;
  /** Keys that encrypt the secrets of second factors. */
  settingsKeys: KeySource;
  rates: NestedRateCounters;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-auth");
  const { table, log } = family;
  return {
    ...family,
    staff: openStaff(table),
    roles: openRoles(table),
    settings: openGroups(table, ["store", "security"]),
    keys: connectKeys(environment, "STAFF_TOKEN"),
    settingsKeys: connectKeys(environment, "SETTINGS"),
    rates: openRateCounters(table, log),
    randomBytes,
  };
}
