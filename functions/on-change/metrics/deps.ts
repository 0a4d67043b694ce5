import { connectConsumer } from "#functions/connect/consumer.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Table } from "#shared/storage/table.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { type SoldItems, openSoldItems } from "#shared/application/metrics/sold-items.ts";

export interface Deps {
  table: Table;
  settings: SettingsStore<"store">;
  things: SoldItems;
  log: Pick<Log, "error">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const consumer = connectConsumer(environment, "on-change-metrics");
  return {
    ...consumer,
    settings: openGroups(consumer.table, ["store"]),
    things: openSoldItems(consumer.table, Date.now),
  };
}
