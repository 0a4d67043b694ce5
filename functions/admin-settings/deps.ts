import { openKeys } from "#shared/runtime/key-rings.ts";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import type { FrameDeps } from "#shared/http/serve.ts";
import { type Mailer, openMailer } from "#shared/mail/mailer.ts";
import { type WhatsApp, openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { type SecretStore, openSecrets } from "#shared/storage/settings/secrets.ts";
import { type Table, openTable } from "#shared/storage/table.ts";

export interface Deps extends FrameDeps {
  table: Table;
  secrets: SecretStore;
  rates: RateCounters;
  mailer: Mailer;
  /** The sender address of mail. While it is undefined, mail waits in the outbox. */
  mailFrom: string | undefined;
  whatsApp: WhatsApp;
  log: Log;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    SES_ENDPOINT,
    MAIL_FROM,
    MAIL_CONFIGURATION_SET,
    SETTINGS_KEYS,
    SETTINGS_SECRET,
    WHATSAPP_API_URL,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "SES_ENDPOINT",
    "MAIL_FROM",
    "MAIL_CONFIGURATION_SET",
    "SETTINGS_KEYS",
    "SETTINGS_SECRET",
    "WHATSAPP_API_URL",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  const log = openLog("admin-settings");
  const keys = openKeys({ keys: SETTINGS_KEYS, secret: SETTINGS_SECRET });
  return {
    table,
    identity: openStaffIdentity(table),
    secrets: openSecrets({ table, keys, log }),
    rates: openRateCounters(table, log),
    mailer: openMailer({
      from: MAIL_FROM,
      configurationSet: MAIL_CONFIGURATION_SET,
      endpoint: SES_ENDPOINT,
    }),
    mailFrom: MAIL_FROM,
    whatsApp: openWhatsApp({ apiUrl: WHATSAPP_API_URL }),
    log,
  };
}
