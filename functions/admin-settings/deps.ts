import { type StaffFamilyDeps, connectStaffFamily } from "#functions/connect/staff-family.ts";
import { connectSecrets } from "#functions/connect/secrets.ts";
import { connectMailer } from "#functions/connect/mailer.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Mailer } from "#shared/mail/mailer.ts";
import type { SecretStore } from "#shared/storage/settings/secrets.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";
import { type WhatsApp, openWhatsApp } from "#shared/messaging/whatsapp.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";

export interface Deps extends StaffFamilyDeps {
  secrets: SecretStore;
  rates: RateCounters;
  mailer: Mailer;
  /** The sender address of mail. While it is undefined, mail waits in the outbox. */
  mailFrom: string | undefined;
  whatsApp: WhatsApp;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectStaffFamily(environment, "admin-settings");
  const { table, log } = family;
  return {
    ...family,
    secrets: connectSecrets(environment, family),
    rates: openRateCounters(table, log),
    mailer: connectMailer(environment),
    mailFrom: readVariable(environment, "MAIL_FROM"),
    whatsApp: openWhatsApp({ apiUrl: readVariable(environment, "WHATSAPP_API_URL") }),
  };
}
