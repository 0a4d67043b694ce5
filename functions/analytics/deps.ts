import { connectTable } from "#functions/connect/table.ts";
import type { Table } from "#shared/storage/table.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends FrameDeps {
  table: Table;
  settings: SettingsStore<"store">;
  rates: RateCounters;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const table = connectTable(environment);
  const log = openLog("analytics");
  return {
    table,
    settings: openGroups(table, ["store"]),
    rates: openRateCounters(table, log),
    log,
  };
}
