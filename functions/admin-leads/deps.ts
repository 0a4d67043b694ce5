import { randomBytes } from "node:crypto";
import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";

export interface Deps extends StaffFamilyDeps {
  settings: Pick<SettingsStore, "current">;
  /** The address of the API as callers use it; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-leads");
  return {
    ...family,
    settings: openSettings(family.table),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
    randomBytes,
    mediaBaseUrl: readVariable(environment, "MEDIA_BASE_URL"),
  };
}
