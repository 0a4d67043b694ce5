import { randomBytes } from "node:crypto";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openSettings } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Buffer;
  settings: SettingsStore;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, MEDIA_BASE_URL } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "MEDIA_BASE_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    randomBytes,
    identity: openStaffIdentity(table),
    settings: openSettings(table),
    mediaBaseUrl: MEDIA_BASE_URL,
    log: openLog("admin-content"),
  };
}
