import { BadRequestException, SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { clientDefaults } from "../runtime/aws-client.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import type { Letter } from "./letter.ts";
import { mailbox } from "./mailbox.ts";

/** A letter with where it goes. */
export interface Mail extends Letter {
  readonly to: string;
  /** Gets the same, unseen by the other. */
  readonly copy_to?: string | null;
  /** Travels along in the headers: copies of one mail have it in common. */
  readonly dedupe: string;
}

export interface Mailer {
  /**
   * Hands a mail over. An answer that got lost is asked for again, so a mail may arrive twice, which is rare.
   *
   * @throws MailRefused when it will never be taken
   * @throws Error when it may be taken later
   */
  send(mail: Mail): Promise<void>;
}

/** Something is wrong with the mail itself, such as where it goes. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** @param options.from the address that all mail comes from; without one nothing is sent, and everything may be later */
export function openMailer(options: {
  from: string | undefined;
  endpoint?: string | undefined;
}): Mailer {
  const { from, endpoint } = options;
  const client = new SESv2Client(clientDefaults(endpoint));
  return {
    async send({ to, copy_to, shop, reply_to, subject, html, text, dedupe }) {
      if (from === undefined) throw new Unavailable("There is no address to send mail from");
      try {
        await client.send(
          new SendEmailCommand({
            FromEmailAddress: mailbox(shop, from),
            Destination: { ToAddresses: [to], ...(copy_to && { BccAddresses: [copy_to] }) },
            ...(reply_to !== null && { ReplyToAddresses: [reply_to] }),
            Content: {
              Simple: {
                Subject: utf8(subject),
                Body: { Html: utf8(html), Text: utf8(text) },
                Headers: [
                  { Name: "X-Entity-Ref-ID", Value: dedupe },
                  { Name: "Auto-Submitted", Value: "auto-generated" },
                ],
              },
            },
          }),
        );
      } catch (error) {
        // Nothing else is about the mail: even MessageRejected is what an unverified sender of ours gets.
        if (error instanceof BadRequestException) {
          throw new MailRefused("The mail server will not take this mail", { cause: error });
        }
        throw error;
      }
    },
  };
}

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
