import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  settings: SettingsStore<"store" | "shipping">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    settings: openGroups(table, ["store", "shipping"]),
    identity: openStaffIdentity(table),
    log: openLog("admin-deliveries"),
  };
}
