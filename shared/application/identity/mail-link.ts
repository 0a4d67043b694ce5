import type { OutboxEvent } from "../../domain/base/outbox-event.ts";
import { invalidField } from "../../domain/request/app-error.ts";
import { publishEvent, writeDecoyEvent } from "../../storage/outbox.ts";
import { type Proof, type ProofPurpose, keepProof } from "../../storage/customer/proofs.ts";
import type { Write } from "../../storage/writes.ts";
import { newOpaqueToken } from "../../auth/opaque-tokens.ts";

/** A mail with a link that proves an email address. */
type LinkLetter = Exclude<Extract<OutboxEvent, { token: string }>["type"], "quote_sent">;
/** A mail whose event contains nothing but the link. */
type PlainLetter = Exclude<LinkLetter, "confirm_alert">;

const hours = (count: number) => count * 3_600_000;

/** The purpose and lifetime of each mail's link. */
const links: Record<LinkLetter, { purpose: ProofPurpose; lifetimeMs: number }> = {
  confirm_subscription: { purpose: "verify_email", lifetimeMs: hours(7 * 24) },
  confirm_alert: { purpose: "verify_email", lifetimeMs: hours(7 * 24) },
  verify_email: { purpose: "verify_email", lifetimeMs: hours(1) },
  reset_password: { purpose: "reset_password", lifetimeMs: hours(1) },
  staff_invitation: { purpose: "reset_password", lifetimeMs: hours(7 * 24) },
  staff_reset_password: { purpose: "reset_password", lifetimeMs: hours(1) },
  staff_verify_email: { purpose: "verify_email", lifetimeMs: hours(1) },
};

/** The recipient of a link. */
export interface Addressee extends Pick<Proof, "guard" | "subject" | "email" | "epoch"> {
  /** Null if it is not proven that the recipient owns the address. */
  readonly name: string | null;
}

/**
 * A link that proves an email address: only the recipient of the mail knows its token. It can be used once, until it
 * expires.
 */
export interface MailedLink {
  readonly token: string;
  readonly expires_at: string;
  /** The write that stores the token. It makes the token valid. */
  readonly keep: Write;
}

/**
 * Creates the link for a mail of this type.
 *
 * @param randomBytes from a secure source
 */
export function newLink(
  letter: LinkLetter,
  { guard, subject, email, epoch }: Addressee,
  { randomBytes }: { randomBytes(count: number): Buffer },
  now: Date,
): MailedLink {
  const { purpose, lifetimeMs } = links[letter];
  const token = newOpaqueToken(randomBytes);
  const expires_at = new Date(now.getTime() + lifetimeMs).toISOString();
  return {
    token,
    expires_at,
    keep: keepProof(token, { purpose, guard, subject, email, epoch, expires_at }),
  };
}

/**
 * Mails a new link.
 *
 * @returns writes for one transaction
 */
export function mailLink(
  letter: PlainLetter,
  addressee: Addressee,
  source: { randomBytes(count: number): Buffer },
  now: Date,
): Write[] {
  const { token, expires_at, keep } = newLink(letter, addressee, source, now);
  const { email: to, name } = addressee;
  return [keep, publishEvent({ type: letter, to, name, token, expires_at }, now)];
}

/**
 * The same writes as `mailLink`, but no mail is sent and nobody receives the token. Used for unknown emails, so that
 * timing does not reveal whether an account exists.
 */
export function mailNobody(
  letter: PlainLetter,
  { guard, email }: Pick<Addressee, "guard" | "email">,
  source: { randomBytes(count: number): Buffer },
  now: Date,
): Write[] {
  const nobody = { guard, email, subject: "nobody", name: null, epoch: 1 };
  const { token, expires_at, keep } = newLink(letter, nobody, source, now);
  return [keep, writeDecoyEvent({ type: letter, to: email, name: null, token, expires_at }, now)];
}

export const linkIsDead = () =>
  invalidField("token", "This link is no longer valid. Please ask for a new one.");
