// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeOutbox as consume } from "#functions/on-change/outbox.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { linkKeys } from "#functions/connect/keys.ts";
import { apiBaseUrl, mediaBaseUrl } from "#functions/connect/variables.ts";
import { documentFiles } from "#functions/connect/object-stores.ts";
import { mailer } from "#functions/connect/mailer.ts";
import { outboxQueue } from "#functions/connect/queues.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("on-change-outbox"),
  now,
  elapsed,
  table,
  rates,
  linkKeys,
  apiBaseUrl,
  mediaBaseUrl,
  documentFiles,
  mailer,
  outboxQueue,
  settings: settings(["store", "payments", "shipping", "tax", "email", "seo"]),
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
