import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { internationalPhone } from "#shared/domain/contact/international-phone.ts";
import { WhatsAppNumber } from "#shared/domain/inbox/whatsapp-number.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { WhatsAppAccount } from "#shared/messaging/whatsapp.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import type { TestOutcome } from "./send-test-mail.ts";

/**
 * The only template that every WhatsApp account has. WhatsApp accepts free text only within 24 hours of a message from
 * the recipient.
 */
const greeting = { template: { name: "hello_world", language: "en_US", parameters: [] } };

/**
 * Sends a WhatsApp message with the current settings to the phone number in the caller's profile.
 *
 * @throws AppError `unauthenticated`
 */
export async function sendTestMessage(
  call: AuditedCall,
  shop: Shop<"table" | "log" | "secrets" | "whatsApp">,
): Promise<TestOutcome<string | null>> {
  const [user, account, { store }] = await Promise.all([
    shop.table.get(Staff, { id: auditContextOf(call).actor.id }),
    presentAccount(shop),
    readSettings(shop.table, ["store"]),
  ]);
  if (!user) throw new AppError("unauthenticated");
  const phone = user.phone && internationalPhone(user.phone, store.country);
  const to = WhatsAppNumber.safeParse(phone).data ?? null;
  const unsent = (message: string) => ({ sent: false, to, message });
  if (to === null) {
    return unsent("Add your phone number with its country code to your profile first.");
  }
  if (!account) return unsent("Enter the phone number id and the access token first.");
  try {
    const outcome = await shop.whatsApp.send(account, { to, said: greeting });
    if (outcome.kind === "refused") {
      return unsent(`WhatsApp refused the message (${outcome.code}): ${outcome.message}`);
    }
  } catch (cause) {
    shop.log.warn("Test message not sent", { cause });
    return unsent("WhatsApp did not answer as expected. Please try again in a minute.");
  }
  const message = `WhatsApp has accepted the message to ${to}. It should arrive within a minute.`;
  return { sent: true, to, message };
}

/** The WhatsApp account in the current settings. */
async function presentAccount({
  table,
  secrets,
}: Shop<"table" | "secrets">): Promise<WhatsAppAccount | undefined> {
  const [{ messaging }, { revealed }] = await Promise.all([
    readSettings(table, ["messaging"]),
    secrets.read("messaging"),
  ]);
  const { phone_number_id, api_version } = messaging.whatsapp;
  const access_token = revealed["whatsapp.access_token"] ?? null;
  if (phone_number_id === null || access_token === null) return undefined;
  return { phone_number_id, access_token, api_version };
}
