import { randomBytes } from "node:crypto";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type RoleStore, openRoles } from "#shared/storage/staff/roles.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  staff: StaffStore;
  roles: RoleStore;
  settings: SettingsStore<"store" | "security">;
  /** Signing keys of staff tokens. */
  keys: KeySource;
  /** Keys that encrypt the secrets of second factors. */
  settingsKeys: KeySource;
  rates: RateCounters;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    STAFF_TOKEN_KEYS,
    STAFF_TOKEN_SECRET,
    SETTINGS_KEYS,
    SETTINGS_SECRET,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "STAFF_TOKEN_KEYS",
    "STAFF_TOKEN_SECRET",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("admin-auth");
  return {
    table,
    staff: openStaff(table),
    roles: openRoles(table),
    settings: openGroups(table, ["store", "security"]),
    identity: openStaffIdentity(table),
    keys: openKeys({ keys: STAFF_TOKEN_KEYS, secret: STAFF_TOKEN_SECRET }),
    settingsKeys: openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET }),
    rates: openRateCounters(table, log),
    randomBytes,
    log,
  };
}
