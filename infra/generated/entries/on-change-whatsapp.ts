// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeWhatsapp as consume } from "#functions/on-change/queue-consumers.ts";
import { elapsed, log, now } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { messagingSettings, secrets } from "#functions/connect/settings.ts";
import { whatsApp, whatsAppAccount } from "#functions/connect/whatsapp.ts";
import { inboxFiles } from "#functions/connect/object-stores.ts";
import { copyInboxFile } from "#functions/connect/files.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const openers = {
  log: log("on-change-whatsapp"),
  now,
  elapsed,
  table,
  settingsKeys,
  secrets,
  messagingSettings,
  whatsApp,
  whatsAppAccount,
  inboxFiles,
  copyInboxFile,
  mediaBaseUrl,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
