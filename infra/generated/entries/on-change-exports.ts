// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeExports as consume } from "#functions/on-change/queue-consumers.ts";
import { log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIndexSource } from "#functions/connect/index-writers.ts";
import { exportFiles } from "#functions/connect/files.ts";
import { exportsQueue } from "#functions/connect/queues.ts";

export const openers = {
  log: log("on-change-exports"),
  now,
  table,
  staffIndexSource,
  exportFiles,
  exportsQueue,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
