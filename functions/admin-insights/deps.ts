import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type ActivityLog, openActivityLog } from "#shared/storage/staff/activity.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  settings: SettingsStore<"store">;
  activity: ActivityLog;
  staff: Pick<StaffStore, "findMany">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    settings: openGroups(table, ["store"]),
    activity: openActivityLog(table),
    staff: openStaff(table),
    identity: openStaffIdentity(table),
    log: openLog("admin-insights"),
  };
}
