import { randomBytes } from "node:crypto";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type RoleStore, openRoles } from "#shared/storage/staff/roles.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  staff: StaffStore;
  roles: RoleStore;
  settings: SettingsStore<"security">;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    staff: openStaff(table),
    roles: openRoles(table),
    settings: openGroups(table, ["security"]),
    identity: openStaffIdentity(table),
    randomBytes,
    log: openLog("admin-staff"),
  };
}
