import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { expiresAt } from "#shared/domain/base/outbox-event.ts";
import type { AllSettings } from "#shared/domain/settings/settings.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import {
  emailChangedLetter,
  passwordChangedLetter,
  resetPasswordLetter,
  verifyEmailLetter,
} from "#shared/mail/account-letters.ts";
import { type Addressed, sentAs, staffAddress } from "#shared/mail/letter.ts";
import { confirmSubscriptionLetter } from "#shared/mail/marketing-letters.ts";
import {
  publicationFailedLetter,
  staffEmailChangedLetter,
  staffInvitationLetter,
  staffPasswordChangedLetter,
  staffResetPasswordLetter,
  staffVerifyEmailLetter,
} from "#shared/mail/staff-letters.ts";
import type { OutboxRow } from "#shared/storage/outbox.ts";
import { type EnquiryEvent, composeEnquiry, isOfEnquiry } from "./compose-enquiry.ts";
import { type MarketingEvent, composeMarketing, isOfMarketing } from "./compose-marketing.ts";
import { type OrderEvent, composeOrder, isOfOrder } from "./compose-order.ts";
import { attachments } from "./attach-document.ts";
import type { Deps } from "./deps.ts";

type Sources = Pick<
  Deps,
  "orders" | "enquiries" | "marketing" | "settings" | "documents" | "apiBaseUrl" | "now"
>;

/**
 * Returns the mail for an outbox event; undefined if the event is stale, such as after its link has expired.
 *
 * @throws DocumentPending while the mail waits for its PDF
 */
export async function compose(
  { event, at }: Pick<OutboxRow, "event" | "at">,
  { orders, enquiries, marketing, settings, documents, apiBaseUrl, now }: Sources,
): Promise<Addressed | undefined> {
  const expires = expiresAt(event);
  if (expires !== null && Date.parse(expires) <= now().getTime()) return undefined;
  const current = await settings.current();
  const attach = attachments(documents, { since: at, now: now() });
  const letter = isOfEnquiry(event)
    ? await composeEnquiry(event, { enquiries, attach }, current)
    : isOfOrder(event)
      ? await composeOrder(event, { orders, attach }, current)
      : isOfMarketing(event)
        ? await composeMarketing(event, { marketing, settings: current, apiBaseUrl })
        : event.type === "publication_failed"
          ? composePublicationFailed(event, current)
          : letterToAccount(event, current.store);
  return letter && { ...letter, ...sentAs(letter, current.email) };
}

type PublicationFailed = Extract<OutboxEvent, { type: "publication_failed" }>;

function composePublicationFailed(
  event: PublicationFailed,
  settings: Pick<AllSettings, "store" | "email">,
): Addressed | undefined {
  const to = staffAddress(settings);
  return to === null ? undefined : { to, ...publicationFailedLetter(settings.store, event) };
}

function letterToAccount(
  event: Exclude<OutboxEvent, EnquiryEvent | OrderEvent | MarketingEvent | PublicationFailed>,
  store: StoreSettings,
): Addressed {
  switch (event.type) {
    case "verify_email":
      return { to: event.to, ...verifyEmailLetter(store, event) };
    case "reset_password":
      return { to: event.to, ...resetPasswordLetter(store, event) };
    case "confirm_subscription":
      return { to: event.to, ...confirmSubscriptionLetter(store, event) };
    case "password_changed":
      return { to: event.to, ...passwordChangedLetter(store, event) };
    case "email_changed":
      return { to: event.to, ...emailChangedLetter(store, event) };
    case "staff_invitation":
      return { to: event.to, ...staffInvitationLetter(store, event) };
    case "staff_reset_password":
      return { to: event.to, ...staffResetPasswordLetter(store, event) };
    case "staff_verify_email":
      return { to: event.to, ...staffVerifyEmailLetter(store, event) };
    case "staff_password_changed":
      return { to: event.to, ...staffPasswordChangedLetter(store, event) };
    case "staff_email_changed":
      return { to: event.to, ...staffEmailChangedLetter(store, event) };
  }
}
