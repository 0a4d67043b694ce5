// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onScheduleOutboxSweep as consume } from "#functions/on-schedule/schedules.ts";
import { log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { erasedIdsQueue, outboxQueue } from "#functions/connect/queues.ts";

export const openers = {
  log: log("on-schedule-outbox-sweep"),
  now,
  table,
  outboxQueue,
  erasedIdsQueue,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
