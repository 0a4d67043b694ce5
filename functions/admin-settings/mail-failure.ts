import { MailRefused } from "#shared/mail/mailer.ts";

/** What SES calls its refusals, in words for whoever sets up the shop. */
const words: Readonly<Record<string, string>> = {
  AccountSuspendedException: "The mail account is suspended: no mail can be sent from it.",
  SendingPausedException: "Sending is paused for the mail account.",
  MailFromDomainNotVerifiedException:
    "The domain that mail comes from is not verified yet: put its DNS records in place.",
  MessageRejected:
    "The mail server rejected the mail: the sender's domain is not verified, or the account may send to verified addresses only.",
  LimitExceededException: "The mail account has reached its limit.",
  TooManyRequestsException: "The mail server is asked too often. Please try again in a minute.",
  AccessDeniedException: "The service is not allowed to send mail in this name.",
};

/** Why a mail was not taken. */
export function reasonOf(cause: unknown, mailFrom: string | undefined): string {
  if (mailFrom === undefined) {
    return "There is no address to send from: deploy the service with the domain that mail is to come from.";
  }
  if (cause instanceof MailRefused) return "The mail server will not take a mail to your address.";
  const name = cause instanceof Error ? cause.name : "";
  const known = Object.entries(words).find(([exception]) => exception === name)?.[1];
  return known ?? "The mail server did not answer as it should. Please try again in a minute.";
}
