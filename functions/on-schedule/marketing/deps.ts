import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"store" | "checkout">;
  /** The address of the API as callers use it, for unsubscribe links; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  log: Pick<Log, "error" | "warn">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, API_BASE_URL } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "API_BASE_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    table,
    settings: openGroups(table, ["store", "checkout"]),
    apiBaseUrl: API_BASE_URL,
    log: openLog("on-schedule-marketing"),
    now: () => new Date(),
  };
}
