import * as z from "zod";
import type { MailBlockReason } from "#shared/domain/customer/mail-block.ts";
import { Email } from "#shared/domain/base/text.ts";

const recipients = z.array(z.object({ emailAddress: z.string() }));

/** SES's report about a sent mail. SNS delivers it without an envelope. */
export const MailEvent = z.discriminatedUnion("eventType", [
  z.object({
    eventType: z.literal("Bounce"),
    bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients }),
  }),
  z.object({
    eventType: z.literal("Complaint"),
    complaint: z.object({
      complainedRecipients: recipients,
      /** `not-spam` says that the owner took the mail out of the spam folder. */
      complaintFeedbackType: z.string().nullish(),
    }),
  }),
]);
export type MailEvent = z.output<typeof MailEvent>;

/**
 * Whether a message is SES's plain-text notice that SES may publish to the topic. SES sends one when the shop is
 * deployed.
 */
export const isTopicNotice = (body: string): boolean =>
  body.startsWith("Successfully validated SNS topic");

/** The addresses that must no longer be mailed. SES retries after other bounces, such as of a full mailbox. */
export function blockedBy(event: MailEvent): { reason: MailBlockReason; emails: string[] } {
  if (event.eventType === "Complaint") {
    const { complainedRecipients, complaintFeedbackType } = event.complaint;
    const isComplaint = complaintFeedbackType !== "not-spam";
    return { reason: "complained", emails: isComplaint ? addressesOf(complainedRecipients) : [] };
  }
  const { bounceType, bouncedRecipients } = event.bounce;
  const isFinal = bounceType === "Permanent";
  return { reason: "bounced", emails: isFinal ? addressesOf(bouncedRecipients) : [] };
}

/**
 * The addresses that the shop may have mailed. SES may report an address with its display name. What is no address to
 * us was never mailed, so it is left out.
 */
const addressesOf = (reported: z.output<typeof recipients>): string[] =>
  reported.flatMap(({ emailAddress }) => {
    const email = Email.safeParse(/<([^<>]+)>\s*$/.exec(emailAddress)?.[1] ?? emailAddress);
    return email.success ? [email.data] : [];
  });
