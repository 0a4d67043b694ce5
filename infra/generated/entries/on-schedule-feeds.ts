// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onScheduleFeeds as consume } from "#functions/on-schedule/schedules.ts";
import { log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { publicFiles } from "#functions/connect/object-stores.ts";
import { apiBaseUrl, mediaBaseUrl } from "#functions/connect/variables.ts";

export const openers = {
  log: log("on-schedule-feeds"),
  now,
  table,
  publicFiles,
  mediaBaseUrl,
  apiBaseUrl,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
