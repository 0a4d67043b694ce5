import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";
import { type SoldItems, openSoldItems } from "./sold-items.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"store">;
  things: SoldItems;
  log: Pick<Log, "error">;
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
    things: openSoldItems(table, Date.now),
    log: openLog("on-change-metrics"),
  };
}
