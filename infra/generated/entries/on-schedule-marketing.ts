// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onScheduleMarketing as consume } from "#functions/on-schedule/schedules.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { apiBaseUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("on-schedule-marketing"),
  now,
  elapsed,
  table,
  apiBaseUrl,
  settings: settings(["store", "checkout"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
