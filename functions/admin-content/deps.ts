import { randomBytes } from "node:crypto";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  settings: SettingsStore;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-content");
  return {
    ...family,
    randomBytes,
    settings: openSettings(family.table),
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
