import {
  type Attachment,
  BadRequestException,
  SESv2Client,
  SendEmailCommand,
} from "@aws-sdk/client-sesv2";
import { type AwsEndpoint, clientDefaults } from "../runtime/aws-client.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import type { Letter } from "./letter.ts";

/** A mail with its recipients. */
export interface Mail extends Omit<Letter, "content"> {
  readonly to: string;
  /** For marketing mail: where mail programs unsubscribe the recipient with one click (RFC 8058). */
  readonly unsubscribe_url?: string;
  /** Null if nothing is attached. */
  readonly pdf?: { readonly filename: string; readonly bytes: Uint8Array } | null;
  /** An id that is sent as a header. A mail that is sent twice has the same id both times. */
  readonly dedupe: string;
}

export interface Mailer {
  /**
   * Sends a mail. After a lost response it is sent again, so in rare cases a mail arrives twice.
   *
   * @throws MailRefused when the mail will never be accepted
   * @throws Error when the mail may be accepted later
   */
  send(mail: Mail): Promise<void>;
}

/** Thrown when the mail itself is invalid, for example its recipient. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/**
 * Sends mail through Amazon SES.
 *
 * @param options.from the sender of all mail. Without it, every `send` throws Unavailable, so that the mail can be sent
 * later
 */
export function openMailer(
  options: AwsEndpoint & {
    readonly from: string | undefined;
    readonly configurationSet?: string | undefined;
  },
): Mailer {
  const { from, configurationSet } = options;
  const client = new SESv2Client(clientDefaults(options.endpoint, options));
  return {
    async send(mail) {
      const { to, shop, reply_to, subject, html, text, dedupe, unsubscribe_url, pdf } = mail;
      if (from === undefined) throw new Unavailable("No sender address is configured");
      try {
        await client.send(
          new SendEmailCommand({
            FromEmailAddress: mailbox(shop, from),
            ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
            Destination: { ToAddresses: [to] },
            ...(reply_to !== null && { ReplyToAddresses: [reply_to] }),
            Content: {
              Simple: {
                Subject: utf8(subject),
                Body: { Html: utf8(html), Text: utf8(text) },
                ...(pdf && { Attachments: [attachmentOf(pdf)] }),
                Headers: [
                  { Name: "X-Entity-Ref-ID", Value: dedupe },
                  { Name: "Auto-Submitted", Value: "auto-generated" },
                  ...(unsubscribe_url === undefined ? [] : oneClick(unsubscribe_url)),
                ],
              },
            },
          }),
        );
      } catch (error) {
        // No other error concerns the mail itself: even MessageRejected means an unverified sender.
        if (error instanceof BadRequestException) {
          throw new MailRefused("The mail server refused the mail", { cause: error });
        }
        throw error;
      }
    },
  };
}

/** Headers of one-click unsubscribing (RFC 8058). */
const oneClick = (url: string) => [
  { Name: "List-Unsubscribe", Value: `<${url}>` },
  { Name: "List-Unsubscribe-Post", Value: "List-Unsubscribe=One-Click" },
];

const attachmentOf = ({
  filename,
  bytes,
}: {
  filename: string;
  bytes: Uint8Array;
}): Attachment => ({
  FileName: filename,
  RawContent: bytes,
  ContentType: "application/pdf",
  ContentDisposition: "ATTACHMENT",
});

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });

/** Bytes per encoded word. The word may have 75 characters: 12 for framing, and 60 for these bytes in Base64. */
const wordBytes = 45;

/** An address with a display name for a mail header: `"Teak & Thread" <no-reply@example.com>`. */
export function mailbox(name: string, address: string): string {
  return `${/^[ -~]*$/.test(name) ? quoted(name) : encoded(name)} <${address}>`;
}

const quoted = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Encoded words (RFC 2047), each with whole characters. */
function encoded(name: string): string {
  const words = [""];
  for (const character of name) {
    const word = words.at(-1) + character;
    if (Buffer.byteLength(word) <= wordBytes) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}
