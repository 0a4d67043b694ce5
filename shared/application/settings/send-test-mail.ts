import type { Shop } from "#shared/application/shop.ts";
import { type AuditedCall, auditContextOf } from "#shared/application/audit-context.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { sentAs } from "#shared/mail/letter.ts";
import { MailRefused } from "#shared/mail/mailer.ts";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { settingsTestLetter } from "#shared/mail/staff-letters.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { Staff } from "#shared/storage/staff/staff.ts";

/** Outcome of a test mail or test message. It explains a failure in words, so that staff can correct the settings. */
export interface TestOutcome<Address> {
  readonly sent: boolean;
  readonly to: Address;
  readonly message: string;
}

/**
 * Sends a mail with the current settings to the caller, or to SES's simulator.
 *
 * @throws AppError `unauthenticated`
 */
export async function sendTestMail(
  call: AuditedCall & { readonly query: { readonly to: "caller" | "simulator" } },
  { table, mailer, mailFrom, log }: Shop<"table" | "log" | "mailer" | "mailFrom">,
): Promise<TestOutcome<string>> {
  const { actor, requestId, now } = auditContextOf(call);
  const [user, { store, email }] = await Promise.all([
    table.get(Staff, { id: actor.id }),
    readSettings(table, ["store", "email"]),
  ]);
  if (!user) throw new AppError("unauthenticated");
  const to = call.query.to === "simulator" ? simulatorAddress : user.email;
  const letter = settingsTestLetter(store, { name: user.name, sent_at: now.toISOString() });
  try {
    await mailer.send({ ...letter, ...sentAs(letter, email), to, dedupe: `test#${requestId}` });
  } catch (cause) {
    log.warn("Test mail not sent", { cause });
    return { sent: false, to, message: reasonOf(cause, mailFrom) };
  }
  const message =
    `The mail server has accepted a mail from ${mailFrom} to ${to}. It should arrive ` +
    "within minutes.";
  return { sent: true, to, message };
}

/** Explanations of SES errors for the person who sets up the shop. */
const words: Readonly<Record<string, string>> = {
  AccountSuspendedException: "The mail account is suspended: no mail can be sent from it.",
  SendingPausedException: "Sending is paused for the mail account.",
  MailFromDomainNotVerifiedException:
    "The sender's domain is not verified yet: add its DNS records.",
  MessageRejected:
    "The mail server rejected the mail: the sender's domain is not verified, or the account may send to verified addresses only.",
  LimitExceededException: "The mail account has reached its limit.",
  TooManyRequestsException:
    "The mail server received too many requests. Please try again in a minute.",
  AccessDeniedException: "The service is not allowed to send mail from this address.",
};

/** Explains why a mail was not accepted. */
function reasonOf(cause: unknown, mailFrom: string | undefined): string {
  if (mailFrom === undefined) {
    return "There is no sender address: deploy the service with its mail domain.";
  }
  if (cause instanceof MailRefused) return "The mail server refuses mail to your address.";
  const name = cause instanceof Error ? cause.name : "";
  const known = Object.entries(words).find(([exception]) => exception === name)?.[1];
  return known ?? "The mail server did not answer as expected. Please try again in a minute.";
}
