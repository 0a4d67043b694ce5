import * as z from "zod";
import {
  NewPassword,
  ResetInput,
  TypedPassword,
  withConfirmation,
  password_confirmation,
} from "./credentials.ts";
import { Id } from "../base/ids.ts";
import { Currency } from "../base/money.ts";
import { Email, LimitedString, MultilineText, Phone, Tags, Text, Timestamp } from "../base/text.ts";

export const Password = NewPassword(8);

export const Preferences = z.strictObject({
  locale: LimitedString(35)
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
    .meta({ example: "en-IN" }),
  currency: Currency.nullable().default(null),
  newsletter: z.boolean(),
  whatsapp_updates: z.boolean(),
});
export type Preferences = z.output<typeof Preferences>;

/** A problem for each preference that the store does not offer. */
export function preferenceProblems(
  { locale, currency }: Pick<Preferences, "locale" | "currency">,
  store: { readonly locales: readonly string[]; readonly currencies: readonly string[] },
): { path: string; message: string }[] {
  return [
    ...(store.locales.includes(locale)
      ? []
      : [{ path: "locale", message: `The locale must be one of ${store.locales.join(", ")}.` }]),
    ...(currency === null || store.currencies.includes(currency)
      ? []
      : [
          {
            path: "currency",
            message: `The currency must be one of ${store.currencies.join(", ")}.`,
          },
        ]),
  ];
}

/** A customer as stored. */
export const Customer = z.object({
  id: Id("cus"),
  email: Email,
  /** When the email was verified; null if it was not, or if the email has changed since. */
  email_verified_at: Timestamp.nullable(),
  /** The account's emails before this one, until this one is verified. Orders may have been placed under them. */
  earlier_emails: z.array(Email),
  name: Text(120),
  phone: Phone.nullable(),
  /** When an answer from the phone, or staff, proved it; null if nothing did, or if the phone has changed since. */
  phone_verified_at: Timestamp.nullable(),
  preferences: Preferences,
  marketing_opt_in: z.boolean(),
  status: z.enum(["active", "disabled"]),
  /** Visible to staff only, like the tags. */
  notes: MultilineText(5_000).nullable().default(null),
  tags: Tags.default([]),
  password_hash: z.string(),
  /** Sessions of an earlier epoch are invalid. A new password raises the epoch, and so does disabling the customer. */
  session_epoch: z.int().min(1),
  version: z.int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Customer = z.output<typeof Customer>;

/** A customer's own profile. */
export const PublicCustomer = Customer.omit({
  password_hash: true,
  session_epoch: true,
  earlier_emails: true,
  status: true,
  notes: true,
  tags: true,
}).meta({
  id: "Customer",
});
export type PublicCustomer = z.output<typeof PublicCustomer>;

export const RegisterInput = withConfirmation(
  z.strictObject({
    name: Text(120),
    email: Email,
    password: Password,
    password_confirmation,
    phone: Phone.optional(),
    marketing_opt_in: z.boolean().default(false),
  }),
);
export type RegisterInput = z.output<typeof RegisterInput>;

export const ResetPasswordInput = ResetInput(Password);

/** PUT: replaces name and phone. Changing email or password requires the current password. */
export const ProfileInput = withConfirmation(
  z.strictObject({
    name: Text(120),
    phone: Phone.nullable(),
    email: Email.optional(),
    current_password: TypedPassword.optional(),
    password: Password.optional(),
    password_confirmation,
  }),
);
export type ProfileInput = z.output<typeof ProfileInput>;

export const DeleteAccountInput = z.strictObject({ password: TypedPassword });

export function newCustomer(
  input: Pick<RegisterInput, "name" | "email" | "phone" | "marketing_opt_in">,
  values: { id: string; password_hash: string; locale: string; now: Date },
): Customer {
  const at = values.now.toISOString();
  return {
    id: values.id,
    email: input.email,
    email_verified_at: null,
    earlier_emails: [],
    name: input.name,
    phone: input.phone ?? null,
    phone_verified_at: null,
    preferences: {
      locale: values.locale,
      currency: null,
      newsletter: input.marketing_opt_in,
      whatsapp_updates: false,
    },
    marketing_opt_in: input.marketing_opt_in,
    status: "active",
    notes: null,
    tags: [],
    password_hash: values.password_hash,
    session_epoch: 1,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

/**
 * The customer with a changed profile. A new email must be verified again.
 *
 * @param changes.password_hash null to keep the password
 */
export function changedProfile(
  before: Customer,
  changes: Pick<ProfileInput, "name" | "phone" | "email"> & { password_hash: string | null },
  now: Date,
): Customer {
  const { name, phone, email = before.email, password_hash } = changes;
  const after: Customer = {
    ...(password_hash === null ? before : { ...endingSessions(before), password_hash }),
    name,
    ...changedPhone(before, phone),
    ...changedEmail(before, email),
  };
  return nextVersion(after, now);
}

const mostEarlierEmails = 20;

/** The members for another email, which is not verified. */
function changedEmail(
  before: Customer,
  email: string,
): Pick<Customer, "email" | "email_verified_at" | "earlier_emails"> {
  const { email_verified_at, earlier_emails } = before;
  if (email === before.email) return { email, email_verified_at, earlier_emails };
  const earlier = new Set([...earlier_emails, before.email]);
  earlier.delete(email);
  return {
    email,
    email_verified_at: null,
    earlier_emails: [...earlier].slice(0, mostEarlierEmails),
  };
}

/** The customer whose email was verified. */
export const withVerifiedEmail = (before: Customer, now: Date): Customer => {
  const at = now.toISOString();
  return {
    ...before,
    email_verified_at: before.email_verified_at ?? at,
    earlier_emails: [],
    updated_at: at,
  };
};

/** The members for another phone, which is not proven. */
export const changedPhone = (
  before: Pick<Customer, "phone" | "phone_verified_at">,
  phone: string | null,
): Pick<Customer, "phone" | "phone_verified_at"> => ({
  phone,
  phone_verified_at: phone === before.phone ? before.phone_verified_at : null,
});

/** The customer with changed preferences. `marketing_opt_in` is set to the newsletter preference. */
export function withPreferences(before: Customer, preferences: Preferences, now: Date): Customer {
  return nextVersion({ ...before, preferences, marketing_opt_in: preferences.newsletter }, now);
}

/** The customer after subscribing to the newsletter, or unsubscribing from it, outside the account. */
export const withNewsletter = (before: Customer, newsletter: boolean, now: Date): Customer =>
  withPreferences(before, { ...before.preferences, newsletter }, now);

export function nextVersion(customer: Customer, now: Date): Customer {
  return { ...customer, version: customer.version + 1, updated_at: now.toISOString() };
}

/**
 * The customer with the next session epoch, which ends every session. A new password and disabling the customer require
 * this.
 */
export function endingSessions(customer: Customer): Customer {
  return { ...customer, session_epoch: customer.session_epoch + 1 };
}

/** An email address whose owner has opened a link that was mailed to it. */
export const ProvenEmail = z.object({ email: Email, proven_at: Timestamp });
