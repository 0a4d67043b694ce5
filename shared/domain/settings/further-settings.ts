import * as z from "zod";
import { Email, LimitedString, Text } from "../base/text.ts";
import { SecureWebAddress } from "../base/web-address.ts";

export const EmailSettings = z.strictObject({
  /** Who letters are from, by name; null: the store's name. */
  sender_name: Text(80).nullable(),
  /** Where answers go; null: the store's contact. */
  reply_to: Email.nullable(),
  /** Gets a blind copy of every order's confirmation. */
  order_copy_to: Email.nullable(),
  /** Is told of new leads and quotes and of orders that staff have to look at; null: the store's contact. */
  staff_alerts_to: Email.nullable(),
});
export type EmailSettings = z.output<typeof EmailSettings>;

const MetaId = z.string().regex(/^[0-9]{5,25}$/);

export const MessagingSettings = z.strictObject({
  /** The shop's number at WhatsApp's Cloud API; its secrets are kept apart. */
  whatsapp: z
    .strictObject({
      enabled: z.boolean(),
      phone_number_id: MetaId.nullable(),
      /** Messages that come in for another account are none of ours. */
      business_account_id: MetaId.nullable(),
      api_version: z.string().regex(/^v[1-9][0-9]?\.[0-9]{1,2}$/),
    })
    .refine(({ enabled, phone_number_id }) => !enabled || phone_number_id !== null, {
      path: ["phone_number_id"],
      message: "The phone number id field is required while WhatsApp is enabled.",
    }),
});
export type MessagingSettings = z.output<typeof MessagingSettings>;

/** What pages say to search engines and previews where they say nothing themselves. */
export const SeoSettings = z.strictObject({
  default_title: Text(120).nullable(),
  default_description: Text(320).nullable(),
  og_image_url: SecureWebAddress.nullable(),
  /** False: the storefront asks search engines to stay away. */
  indexable: z.boolean(),
});
export type SeoSettings = z.output<typeof SeoSettings>;

const MailDomain = LimitedString(253)
  .toLowerCase()
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);

export const SecuritySettings = z.strictObject({
  /** How long staff who sign in from now on stay signed in. */
  staff_session_hours: z.int().min(1).max(72),
  /** Where the addresses of new staff must be, such as `example.com`; empty: anywhere. */
  staff_email_domains: z.array(MailDomain).max(20),
});
export type SecuritySettings = z.output<typeof SecuritySettings>;

/** Whether staff may have this address. Whoever has it already keeps it. */
export function staffEmailAllowed(
  email: Email,
  { staff_email_domains }: Pick<SecuritySettings, "staff_email_domains">,
): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return staff_email_domains.length === 0 || staff_email_domains.includes(domain);
}

/** What is said of an address that staff may not have. */
export function emailElsewhere({
  staff_email_domains,
}: Pick<SecuritySettings, "staff_email_domains">): string {
  return `The email of a staff user must be at ${staff_email_domains.join(" or ")}.`;
}
