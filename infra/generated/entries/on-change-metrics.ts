// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeMetrics as consume } from "#functions/on-change/queue-consumers.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { soldItems } from "#functions/connect/memories.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("on-change-metrics"),
  elapsed,
  table,
  soldItems,
  settings: settings(["store"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
