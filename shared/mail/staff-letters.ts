import type { OutboxEvent } from "../domain/base/outbox-event.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import type { ChangeFor, LinkFor } from "./account-letters.ts";
import { type Letter, adminLink, greeting, letter, link, paragraph } from "./letter.ts";
import { moment } from "./wording.ts";

type StaffLink = LinkFor & { readonly to: string };

/** The address of the page that sets a password, for resets and invitations. */
export const passwordLink = (
  store: Pick<StoreSettings, "admin_url">,
  { token, to: email }: Pick<StaffLink, "token" | "to">,
): string => adminLink(store, "/reset-password", { token, email });

export function staffInvitationLetter(store: StoreSettings, event: StaffLink): Letter {
  return letter(store, {
    subject: `Your account in the back office of ${store.name}`,
    greeting: greeting(event.name),
    blocks: [
      paragraph(`You are invited to the back office of ${store.name}. Choose a password to begin.`),
      link("Choose a password", passwordLink(store, event)),
      paragraph(
        `The link works once, until ${moment(store, event.expires_at)}. After that, ask for a new password on the sign-in page.`,
      ),
    ],
  });
}

export function staffResetPasswordLetter(store: StoreSettings, event: StaffLink): Letter {
  return letter(store, {
    subject: `Set a new password for the back office of ${store.name}`,
    greeting: greeting(event.name),
    blocks: [
      paragraph("We received a request to reset the password of your back office account."),
      link("Set a new password", passwordLink(store, event)),
      paragraph(
        `The link works once, until ${moment(store, event.expires_at)}. If you did not request this, you can ignore this mail. Your password stays the same.`,
      ),
    ],
  });
}

/** Mailed to the new address, which becomes the account's when the link is followed. */
export function staffVerifyEmailLetter(
  store: StoreSettings,
  { name, token, expires_at }: LinkFor,
): Letter {
  return letter(store, {
    subject: `Please confirm your new email for the back office of ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph("Please confirm that you want to sign in to the back office with this address."),
      link("Confirm my new email", adminLink(store, "/verify-email", { token })),
      paragraph(
        `The link works once, until ${moment(store, expires_at)}. Until you confirm, your account keeps its current email. If you did not request this, you can ignore this mail.`,
      ),
    ],
  });
}

export function staffPasswordChangedLetter(
  store: StoreSettings,
  { name, changed_at }: ChangeFor,
): Letter {
  return letter(store, {
    subject: `Your password for the back office of ${store.name} was changed`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `Your password was changed on ${moment(store, changed_at)}, and your other sessions were ended.`,
      ),
      paragraph("If it was not you, please set a new password right away and tell an owner."),
      link("Set a new password", adminLink(store, "/forgot-password")),
    ],
  });
}

/** Mailed to the account's previous address. */
export function staffEmailChangedLetter(
  store: StoreSettings,
  { name, changed_at }: ChangeFor,
): Letter {
  return letter(store, {
    subject: `Your email for the back office of ${store.name} was changed`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `On ${moment(store, changed_at)} the email of your account was changed. Please sign in with the new one from now on.`,
      ),
      paragraph("If it was not you, please tell an owner right away."),
      link("Open the back office", adminLink(store, "/")),
    ],
  });
}

export function staffSecondFactorLockedLetter(
  store: StoreSettings,
  { name, changed_at }: ChangeFor,
): Letter {
  return letter(store, {
    subject: `Wrong codes for your account at ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `Somebody entered your password and ten wrong codes of your second factor, the last one on ${moment(store, changed_at)}. For 15 minutes no code is accepted.`,
      ),
      paragraph(
        "If it was you, please wait and try again. If not, your password is known to somebody else: set a new one right away and tell an owner.",
      ),
      link("Set a new password", adminLink(store, "/forgot-password")),
    ],
  });
}

const factorChanges = {
  enrolled: "was added to your account",
  removed: "was removed from your account",
  reset: "was removed from your account by somebody else",
};

export function staffSecondFactorChangedLetter(
  store: StoreSettings,
  { name, change, changed_at }: Extract<OutboxEvent, { type: "staff_second_factor_changed" }>,
): Letter {
  return letter(store, {
    subject: `The second factor of your account at ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `A second factor ${factorChanges[change]} on ${moment(store, changed_at)}. ${change === "reset" ? "All your" : "Your other"} sessions have ended.`,
      ),
      paragraph("If you do not know of this, set a new password right away."),
      link("Set a new password", adminLink(store, "/forgot-password")),
    ],
  });
}

/** Notifies the shop that the schedule could not publish or unpublish a record. */
export function publicationFailedLetter(
  store: StoreSettings,
  { kind, label, action, at, reason }: Extract<OutboxEvent, { type: "publication_failed" }>,
): Letter {
  const done = action === "publish" ? "published" : "unpublished";
  return letter(store, {
    subject: `“${label}” was not ${done} at ${store.name}`,
    greeting: "Hello,",
    blocks: [
      paragraph(
        `The ${kind} “${label}” was to be ${done} on ${moment(store, at)}, but this was not possible. ${reason}`,
      ),
      paragraph(
        "The time has been removed. Correct the draft, then publish it or set another time.",
      ),
      link("Open the back office", adminLink(store, "/")),
    ],
  });
}

/** Shows staff that the shop's mail works. */
export function settingsTestLetter(
  store: StoreSettings,
  { name, sent_at }: { name: string; sent_at: string },
): Letter {
  return letter(store, {
    subject: `Test mail of ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `You requested this test mail in the settings, on ${moment(store, sent_at)}. Your shop's mail works.`,
      ),
      link("Open the settings", adminLink(store, "/settings/email")),
    ],
  });
}
