// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeDocuments as consume } from "#functions/on-change/documents.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { documentFiles } from "#functions/connect/object-stores.ts";
import { outboxQueue } from "#functions/connect/queues.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("on-change-documents"),
  now,
  elapsed,
  table,
  documentFiles,
  outboxQueue,
  settings: settings(["store", "payments", "shipping", "tax"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
