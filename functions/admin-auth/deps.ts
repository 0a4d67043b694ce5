import { randomBytes } from "node:crypto";
import { type KeySource, openKeys } from "#shared/auth/key-rings.ts";
import { openStaffIdentity } from "#shared/auth/staff-identity.ts";
import type { RateCounters } from "#shared/http/rate-limit.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type RoleStore, openRoles } from "#shared/storage/roles.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  staff: StaffStore;
  roles: RoleStore;
  settings: SettingsStore<"security">;
  /** Of staff's tokens. */
  keys: KeySource;
  rates: RateCounters;
  /** From a secure source. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, STAFF_TOKEN_KEYS, STAFF_TOKEN_SECRET } = readEnvironment(
    environment,
    ["TABLE_NAME", "DYNAMODB_ENDPOINT", "STAFF_TOKEN_KEYS", "STAFF_TOKEN_SECRET"],
  );
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("admin-auth");
  return {
    table,
    staff: openStaff(table),
    roles: openRoles(table),
    settings: openGroups(table, ["security"]),
    identity: openStaffIdentity(table),
    keys: openKeys({ keys: STAFF_TOKEN_KEYS, secret: STAFF_TOKEN_SECRET }),
    rates: openRateCounters(table, log),
    randomBytes,
    log,
  };
}
