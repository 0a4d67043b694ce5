// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { onceConnected } from "#shared/runtime/once-connected.ts";
import { onChangeInboxFiles as consume } from "#functions/on-change/files.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { messagingSettings, secrets } from "#functions/connect/settings.ts";
import { fetchWhatsAppFile, whatsAppAccount } from "#functions/connect/whatsapp.ts";
import { inboxFiles } from "#functions/connect/object-stores.ts";

export const openers = {
  log: log("on-change-inbox-files"),
  elapsed,
  table,
  settingsKeys,
  secrets,
  messagingSettings,
  whatsAppAccount,
  fetchWhatsAppFile,
  inboxFiles,
};

export const handler = onceConnected(consume, (environment) => openShop(environment, openers));
export { consume };
