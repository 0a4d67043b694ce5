import type { OutboxEvent } from "../../domain/base/outbox-event.ts";
import type { StaffUser } from "../../domain/staff/staff.ts";
import { invalidField } from "../../domain/request/app-error.ts";
import { tell, tellNobody } from "../../storage/outbox.ts";
import { type Proof, type ProofPurpose, keepProof } from "../../storage/customer/proofs.ts";
import type { Write } from "../../storage/writes.ts";
import { newOpaqueToken } from "../../auth/opaque-tokens.ts";

/** A letter that carries a link which proves an address. */
type LinkLetter = Exclude<Extract<OutboxEvent, { token: string }>["type"], "quote_sent">;

const hours = (count: number) => count * 3_600_000;

/** What each letter's link is good for, and for how long. */
const links: Record<LinkLetter, { purpose: ProofPurpose; lifetimeMs: number }> = {
  verify_email: { purpose: "verify_email", lifetimeMs: hours(1) },
  reset_password: { purpose: "reset_password", lifetimeMs: hours(1) },
  staff_invitation: { purpose: "reset_password", lifetimeMs: hours(7 * 24) },
  staff_reset_password: { purpose: "reset_password", lifetimeMs: hours(1) },
  staff_verify_email: { purpose: "verify_email", lifetimeMs: hours(1) },
};

/** Whom a link is mailed to. */
export interface Addressee extends Pick<Proof, "guard" | "subject" | "email" | "epoch"> {
  /** Null: the address is not proven to be theirs. */
  readonly name: string | null;
}

/** A staff user as somebody whom a link is mailed to. @param email where it is not yet the user's own */
export function staffAddressee(
  { id, name, session_epoch, ...user }: StaffUser,
  email: string = user.email,
): Addressee {
  return { guard: "staff", subject: id, email, name, epoch: session_epoch };
}

/** A link that proves the address it is mailed to, once, until it expires. */
export interface Link {
  readonly token: string;
  readonly expires_at: string;
  /** Lets the token count. */
  readonly keep: Write;
}

/** @param randomBytes from a secure source */
export function newLink(
  letter: LinkLetter,
  { guard, subject, email, epoch }: Addressee,
  { randomBytes }: { randomBytes(count: number): Buffer },
  now: Date,
): Link {
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
 * @returns writes that belong into one transaction
 */
export function mailLink(
  letter: LinkLetter,
  addressee: Addressee,
  source: { randomBytes(count: number): Buffer },
  now: Date,
): Write[] {
  const { token, expires_at, keep } = newLink(letter, addressee, source, now);
  const { email: to, name } = addressee;
  return [keep, tell({ type: letter, to, name, token, expires_at }, now)];
}

/**
 * The same writes as `mailLink` makes, of which no letter comes and whose token nobody gets: for an email that nobody
 * has, so that storage works alike and answers as late.
 */
export function mailNobody(
  letter: LinkLetter,
  { guard, email }: Pick<Addressee, "guard" | "email">,
  source: { randomBytes(count: number): Buffer },
  now: Date,
): Write[] {
  const nobody = { guard, email, subject: "nobody", name: null, epoch: 1 };
  const { token, expires_at, keep } = newLink(letter, nobody, source, now);
  return [keep, tellNobody({ type: letter, to: email, name: null, token, expires_at }, now)];
}

export const linkIsDead = () =>
  invalidField("token", "This link is no longer valid. Please ask for a new one.");
