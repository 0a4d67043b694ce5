import type { StoreSettings } from "../domain/settings/store-settings.ts";
import {
  type Letter,
  greeting,
  letter,
  link,
  paragraph,
  storefrontLink,
  waysToReach,
} from "./letter.ts";
import { moment } from "./wording.ts";

/** The recipient of a link by mail, and the link's token. */
export interface LinkFor {
  readonly name: string | null;
  readonly token: string;
  /** When the link expires. */
  readonly expires_at: string;
}

export interface ChangeFor {
  readonly name: string | null;
  readonly changed_at: string;
}

export function verifyEmailLetter(
  store: StoreSettings,
  { name, token, expires_at }: LinkFor,
): Letter {
  return letter(store, {
    subject: `Please confirm your email for ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        "Please confirm that this address is yours. Orders that you placed with it as a guest will then join your account.",
      ),
      paragraph("Please sign in to your account first. Then open this link."),
      link("Confirm my email", storefrontLink(store, "/verify-email", { token })),
      paragraph(
        `The link works once, until ${moment(store, expires_at)}. If you did not open an account with us, you can ignore this mail.`,
      ),
    ],
  });
}

export function resetPasswordLetter(
  store: StoreSettings,
  { name, to, token, expires_at }: LinkFor & { readonly to: string },
): Letter {
  return letter(store, {
    subject: `Set a new password for ${store.name}`,
    greeting: greeting(name),
    blocks: [
      paragraph("We received a request to reset the password of your account."),
      link("Set a new password", storefrontLink(store, "/reset-password", { token, email: to })),
      paragraph(
        `The link works once, until ${moment(store, expires_at)}. If you did not request this, you can ignore this mail. Your password stays the same.`,
      ),
    ],
  });
}

export function passwordChangedLetter(
  store: StoreSettings,
  { name, changed_at }: ChangeFor,
): Letter {
  return letter(store, {
    subject: `Your password for ${store.name} was changed`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `Your password was changed on ${moment(store, changed_at)}, and you were signed out everywhere.`,
      ),
      paragraph("If it was not you, please set a new password right away and let us know."),
      link("Set a new password", storefrontLink(store, "/forgot-password")),
    ],
  });
}

/** Mailed to the account's previous address. */
export function emailChangedLetter(store: StoreSettings, { name, changed_at }: ChangeFor): Letter {
  const ways = waysToReach(store);
  return letter(store, {
    subject: `The email of your account at ${store.name} was changed`,
    greeting: greeting(name),
    blocks: [
      paragraph(
        `On ${moment(store, changed_at)} the email of your account was changed. We will no longer write to this address.`,
      ),
      paragraph(`If it was not you, please tell us right away${ways === "" ? "" : `: ${ways}`}.`),
      link("Visit the shop", storefrontLink(store, "/")),
    ],
  });
}
