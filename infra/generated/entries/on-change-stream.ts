// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeStream as consume } from "#functions/on-change/stream/read-stream.ts";
import { log } from "#functions/connect/runtime.ts";
import { failedChangeFiles } from "#functions/connect/object-stores.ts";
import {
  catalogIndexQueue,
  documentsQueue,
  erasedIdsQueue,
  inboxFilesQueue,
  marketingQueue,
  mediaQueue,
  mediaUsesQueue,
  metricsQueue,
  orderNamesQueue,
  outboxQueue,
  staffIndexQueue,
  whatsAppQueue,
} from "#functions/connect/queues.ts";

export const openers = {
  log: log("on-change-stream"),
  failedChangeFiles,
  catalogIndexQueue,
  staffIndexQueue,
  outboxQueue,
  mediaQueue,
  mediaUsesQueue,
  whatsAppQueue,
  inboxFilesQueue,
  metricsQueue,
  orderNamesQueue,
  documentsQueue,
  erasedIdsQueue,
  marketingQueue,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
