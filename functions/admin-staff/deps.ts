import { randomBytes } from "node:crypto";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { type RoleStore, openRoles } from "#shared/storage/staff/roles.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type StaffStore, openStaff } from "#shared/storage/staff/staff.ts";

export interface Deps extends StaffFamilyDeps {
  staff: StaffStore;
  roles: RoleStore;
  settings: SettingsStore<"security">;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-staff");
  const { table } = family;
  return {
    ...family,
    staff: openStaff(table),
    roles: openRoles(table),
    settings: openGroups(table, ["security"]),
    randomBytes,
  };
}
