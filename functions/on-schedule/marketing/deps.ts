import { connectConsumer } from "#functions/connect/consumer.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"store" | "checkout">;
  /** The address of the API as callers use it, for unsubscribe links; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  log: Pick<Log, "error" | "warn">;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-schedule-marketing");
  return {
    ...consumer,
    settings: openGroups(consumer.table, ["store", "checkout"]),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
  };
}
