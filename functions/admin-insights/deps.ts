import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { type ActivityLog, openActivityLog } from "#shared/storage/staff/activity.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";

export interface Deps extends StaffFamilyDeps {
  settings: SettingsStore<"store">;
  activity: ActivityLog;
  staff: Pick<StaffStore, "findMany">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-insights");
  const { table } = family;
  return {
    ...family,
    settings: openGroups(table, ["store"]),
    activity: openActivityLog(table),
    staff: openStaff(table),
  };
}
