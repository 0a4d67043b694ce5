import * as z from "zod";
import { MachineText, readsAs } from "../base/machine-text.ts";
import { Email, Text } from "../base/text.ts";
import { SecureWebAddress } from "../base/web-address.ts";
import { StorefrontPaths } from "./storefront-paths.ts";
import { Id } from "../base/ids.ts";

export const EmailSettings = z.strictObject({
  /** The sender's name in mails; null for the store's name. */
  sender_name: Text(80).nullable(),
  /** The reply address; null for the store's contact. */
  reply_to: Email.nullable(),
  /** Receives a copy of every order confirmation, without the link that opens the order for its buyer. */
  order_copy_to: Email.nullable(),
  /** Receives mails about new leads, quotes and orders that need attention; null for the store's contact. */
  staff_alerts_to: Email.nullable(),
});
export type EmailSettings = z.output<typeof EmailSettings>;

const MetaId = z.string().regex(/^[0-9]{5,25}$/);

export const MessagingSettings = z.strictObject({
  /** The shop's number in WhatsApp's Cloud API. Its secrets are stored separately. */
  whatsapp: z
    .strictObject({
      enabled: z.boolean(),
      phone_number_id: MetaId.nullable(),
      /** The only account whose messages are accepted; null accepts the messages of any account. */
      business_account_id: MetaId.nullable(),
      api_version: z.string().regex(/^v[1-9][0-9]?\.[0-9]{1,2}$/),
    })
    .refine(({ enabled, phone_number_id }) => !enabled || phone_number_id !== null, {
      path: ["phone_number_id"],
      message: "The phone number id field is required while WhatsApp is enabled.",
    }),
});
export type MessagingSettings = z.output<typeof MessagingSettings>;

/** Default metadata for search engines and link previews. */
export const SeoSettings = z.strictObject({
  default_title: Text(120).nullable(),
  default_description: Text(320).nullable(),
  og_image_url: SecureWebAddress.nullable(),
  /** If false, the storefront asks search engines not to index it. */
  indexable: z.boolean(),
  /** Where the storefront shows each kind of record. */
  paths: StorefrontPaths.prefault({}),
});
export type SeoSettings = z.output<typeof SeoSettings>;

const MailDomain = MachineText(253)
  .toLowerCase()
  .check(readsAs(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/));

export const SecuritySettings = z.strictObject({
  /** The lifetime of new staff sessions, in hours. */
  staff_session_hours: z.int().min(1).max(72),
  /** Allowed email domains of new staff, such as `example.com`; empty for any. */
  staff_email_domains: z.array(MailDomain).max(20),
});
export type SecuritySettings = z.output<typeof SecuritySettings>;

/** Whether a staff user may have this email. Existing users keep theirs. */
export function staffEmailAllowed(
  email: Email,
  { staff_email_domains }: Pick<SecuritySettings, "staff_email_domains">,
): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return staff_email_domains.length === 0 || staff_email_domains.includes(domain);
}

/** The message about an email outside the allowed domains. */
export function emailElsewhere({
  staff_email_domains,
}: Pick<SecuritySettings, "staff_email_domains">): string {
  return `The email of a staff user must be at ${staff_email_domains.join(" or ")}.`;
}

const Phrase = Text(60);
const wrongTarget = "Send the id of a product or sofa, which begins with prd_ or sofa_.";
const Target = z.union([Id("prd", wrongTarget), Id("sofa", wrongTarget)]);

/** How staff steer search. */
export const SearchSettings = z.strictObject({
  synonyms: z.array(z.array(Phrase).min(1).max(20)).max(300).meta({
    description: "Phrases with one meaning. A set of one phrase removes it from the built-in sets",
  }),
  boosts: z
    .array(z.strictObject({ query: Phrase, targets: z.array(Target).min(1).max(20) }))
    .max(300),
  hidden: z.array(Target).max(1_000),
});
export type SearchSettings = z.output<typeof SearchSettings>;
