import { openKeys } from "#shared/runtime/key-rings.ts";
import { whatsAppAccount } from "#shared/application/inbox/whatsapp-account.ts";
import { type WhatsApp, type WhatsAppAccount, openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import {
  type OutgoingMessages,
  openOutgoingMessages,
} from "#shared/storage/inbox/outgoing-messages.ts";
import { openSecrets } from "#shared/storage/settings/secrets.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps {
  table: Pick<Table, "get">;
  outgoing: OutgoingMessages;
  whatsApp: WhatsApp;
  /** Public URL of the media library, which WhatsApp reads too; without a trailing slash. */
  mediaBaseUrl: string;
  /** Undefined while WhatsApp is off or not set up. */
  account(): Promise<WhatsAppAccount | undefined>;
  log: Log;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    SETTINGS_KEYS,
    SETTINGS_SECRET,
    WHATSAPP_API_URL,
    MEDIA_BASE_URL,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
    "WHATSAPP_API_URL",
    "MEDIA_BASE_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("on-change-whatsapp");
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  const secrets = openSecrets({ table, keys, log });
  const settings = openGroups(table, ["messaging"]);
  return {
    table,
    outgoing: openOutgoingMessages(table),
    whatsApp: openWhatsApp({ apiUrl: WHATSAPP_API_URL }),
    mediaBaseUrl: MEDIA_BASE_URL,
    account: () => whatsAppAccount(settings, secrets),
    log,
    now: () => new Date(),
  };
}
