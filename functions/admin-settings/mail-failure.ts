import { MailRefused } from "#shared/mail/mailer.ts";

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
export function reasonOf(cause: unknown, mailFrom: string | undefined): string {
  if (mailFrom === undefined) {
    return "There is no sender address: deploy the service with its mail domain.";
  }
  if (cause instanceof MailRefused) return "The mail server refuses mail to your address.";
  const name = cause instanceof Error ? cause.name : "";
  const known = Object.entries(words).find(([exception]) => exception === name)?.[1];
  return known ?? "The mail server did not answer as expected. Please try again in a minute.";
}
