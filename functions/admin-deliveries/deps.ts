import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  settings: SettingsStore<"store" | "shipping">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-deliveries");
  return { ...family, settings: openGroups(family.table, ["store", "shipping"]) };
}
