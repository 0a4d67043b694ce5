import type { Shop } from "#shared/application/shop.ts";
import { change } from "#shared/application/edit.ts";
import { hashNewPassword } from "#shared/auth/passwords.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import { type ExpectedVersion, AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { type Actor, type Guard, sessionOf } from "#shared/domain/request/identity.ts";
import { rememberAddress } from "#shared/storage/customer/known-addresses.ts";
import { type Proof, spendProof } from "#shared/storage/customer/proofs.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import type { Account, AccountStore, EmailClaim } from "#shared/storage/staff/accounts.ts";
import { carrySession } from "#shared/storage/staff/sessions.ts";
import type { Table } from "#shared/storage/table.ts";
import type { TransactionWrite, Write } from "#shared/storage/writes.ts";
import { requirePassword } from "./check-credentials.ts";
import { forgiveFailures } from "./login-attempts.ts";
import { type Addressee, linkIsDead, mailLink, mailNobody } from "./mail-link.ts";

/** What differs between the accounts of customers and those of staff. */
export interface AccountKind<Known extends Account> {
  readonly guard: Guard;
  readonly open: (table: Table) => Pick<AccountStore<Known>, "find" | "findByEmail">;
  readonly replace: (before: Known, after: Known) => Write;
  /** Counts a completed reset of the password beside the account's email. */
  readonly countReset: (account: Known) => Write;
  readonly letters: {
    readonly reset: "reset_password" | "staff_reset_password";
    readonly newPassword: "password_changed" | "staff_password_changed";
  };
  /** The name for mails; null if it must not be used. */
  readonly nameOf: (account: Known) => string | null;
  /** The key of a limit for an id or an email of this kind. */
  readonly limitKey: (of: string) => string;
  /** Whether a mailed link still applies to the active account. */
  readonly stillHolds: (proof: Proof, account: Known) => boolean;
  /** The effect of a mailed link. It may be applied again, when the writes have met a conflict. */
  readonly effectOfLink: (
    before: Known,
    use: LinkUse,
    shop: Shop<"table">,
  ) => Promise<{ readonly after: Known; readonly writes: readonly Write[] }>;
}

/** The use of a mailed link. */
interface LinkUse {
  readonly token: string;
  readonly proof: Proof;
  /** Undefined if the link only proves an email. */
  readonly password_hash?: string;
  readonly requestId: string;
  readonly now: Date;
}

/** Returns the caller's account. Throws AppError `unauthenticated` if it was deleted during the request. */
export function requireAccount<Known extends Account>(account: Known | undefined): Known {
  if (!account) throw new AppError("unauthenticated");
  return account;
}

export const emailTaken = () => invalidField("email", "The email has already been taken.");

/** An account as the recipient of a link. @param email the new address, if it is not the account's own yet */
export const addresseeOf = <Known extends Account>(
  { guard, nameOf }: AccountKind<Known>,
  account: Known,
  email: string = account.email,
): Addressee => ({
  guard,
  subject: account.id,
  email,
  name: nameOf(account),
  epoch: account.session_epoch,
});

/**
 * Mails a link that resets the password. Takes the same time if there is no account.
 *
 * @param of.found the account with this email
 * @throws AppError `too_many_requests`
 */
export async function mailResetLink<Known extends Account>(
  kind: AccountKind<Known>,
  { email, found }: { readonly email: string; readonly found: Known | undefined },
  shop: Shop<"table" | "randomBytes" | "rates">,
  now: Date,
): Promise<void> {
  const { guard, letters, limitKey } = kind;
  await admit(shop.rates, "account_forgot", limitKey(email), now);
  const writes =
    found?.status === "active"
      ? mailLink(letters.reset, addresseeOf(kind, found), shop, now)
      : mailNobody(letters.reset, { guard, email }, shop, now);
  await shop.table.transact(writes);
}

interface ResetCall extends Pick<LinkUse, "requestId" | "now"> {
  readonly body: { readonly token: string; readonly email: string; readonly password: string };
  readonly ip: string;
}

/**
 * Sets a password with a mailed token, ends the account's sessions and lifts its login locks.
 *
 * @param read the token's proof, and the claim of the email, which counts the account's failed logins
 * @throws AppError `validation_failed` on `token` or `password`
 */
export async function setPassword<Known extends Account>(
  kind: AccountKind<Known>,
  { body, ip, requestId, now }: ResetCall,
  [proof, claim]: readonly [Proof | undefined, EmailClaim | undefined],
  shop: Shop<"table" | "rates">,
): Promise<void> {
  const { token, email, password } = body;
  if (proof?.email !== email) throw linkIsDead();
  const { guard, subject } = proof;
  const password_hash = await hashNewPassword(password, email);
  await useLink(kind, { token, proof, password_hash, requestId, now }, shop, (account) => [
    kind.countReset(account),
    // An invited user had no password.
    ...(account.password_hash === null ? [] : [notifyOfNewPassword(kind, account, now)]),
    rememberAddress({ guard, subject, address: callerOf(ip) }, now),
  ]);
  await forgiveFailures({ guard, ip, rates: shop.rates, now }, { email, claim });
}

/**
 * Uses up a mailed token and applies its effect in one transaction.
 *
 * @param further returns further writes for the transaction
 * @throws AppError `validation_failed` on `token` if the link is no longer valid, or if a write of its effect is refused
 */
export async function useLink<Known extends Account>(
  kind: AccountKind<Known>,
  use: LinkUse,
  shop: Shop<"table">,
  further: (before: Known) => readonly Write[] = () => [],
): Promise<void> {
  const read = () => kind.open(shop.table).find(use.proof.subject);
  await retryOnConflict(await read(), read, async (before) => {
    if (before?.status !== "active" || !kind.stillHolds(use.proof, before)) throw linkIsDead();
    const { after, writes } = await kind.effectOfLink(before, use, shop);
    const effect = [...writes, ...further(before)];
    await shop.table.transact([
      { write: spendProof(use.token), refused: linkIsDead },
      kind.replace(before, after),
      ...effect.map((write) => ({ write, refused: linkIsDead })),
    ]);
  });
}

/** The mail warns an owner who did not change the password. */
function notifyOfNewPassword<Known extends Account>(
  { letters, nameOf }: AccountKind<Known>,
  account: Known,
  now: Date,
): Write {
  const changed_at = now.toISOString();
  const [to, name] = [account.email, nameOf(account)];
  return publishEvent({ type: letters.newPassword, to, name, changed_at }, now);
}

/**
 * Refuses a taken email before a mail is sent there. Rate-limited, because a change mails strangers and reveals whether
 * an email is taken.
 *
 * @param of.id of the account that wants the email
 * @throws AppError `validation_failed` on `email`, `too_many_requests`
 */
export async function requireFreeEmail<Known extends Account>(
  { open, limitKey }: AccountKind<Known>,
  { id, email }: { readonly id: string; readonly email: string },
  { table, rates }: Shop<"table" | "rates">,
  now: Date,
): Promise<void> {
  await admit(rates, "account_verification", limitKey(id), now);
  if (await open(table).findByEmail(email)) throw emailTaken();
}

/** A request of the account's owner to change the profile. */
export interface ProfileCall<Body> {
  readonly body: Body;
  readonly actor: Actor;
  readonly headers: { readonly "if-match"?: ExpectedVersion };
  readonly now: Date;
}

/** How a kind of account changes its profile. */
export interface ProfileChange<Known> {
  /** The account, as the request has read it. */
  readonly found: Known;
  /** Refuses a new email that the account cannot have. */
  requireEmail(email: string): Promise<void>;
  /** @param password_hash undefined to keep the password; a new one ends the account's sessions */
  changed(before: Known, password_hash: string | undefined): Known;
  /** The writes of a change, beside those of the account and of its new password. */
  writes(before: Known, after: Known): Promise<readonly TransactionWrite[]>;
}

interface Secrets {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
}

/**
 * Changes the caller's own account. A new email or password requires the current password; a new password ends the
 * caller's other sessions.
 *
 * @throws AppError `validation_failed`, `version_mismatch`, `too_many_requests`, `unauthenticated`
 */
export async function changeAccount<Known extends Account>(
  kind: AccountKind<Known>,
  { body, actor, headers, now }: ProfileCall<Secrets>,
  { found, requireEmail, changed, writes }: ProfileChange<Known>,
  { table, rates }: Shop<"table" | "rates">,
): Promise<Known> {
  const { email = found.email, password, current_password } = body;
  if (email !== found.email || password !== undefined) {
    await requirePassword(current_password, "current_password", found, {
      guard: kind.guard,
      rates,
      now,
    });
  }
  if (email !== found.email) await requireEmail(email);
  const password_hash = password === undefined ? undefined : await hashNewPassword(password, email);
  const readAgain = async () => requireAccount(await kind.open(table).find(found.id));
  return change(found, readAgain, headers["if-match"], {
    change(before) {
      // The password has changed since this request checked it, so the check is no longer valid.
      if (before.session_epoch !== found.session_epoch) throw new AppError("unauthenticated");
      return changed(before, password_hash);
    },
    async save(before, after) {
      const session = {
        write: carrySession(sessionOf(actor), after.session_epoch),
        // The write is refused if the session ended during the request.
        refused: () => new AppError("unauthenticated"),
      };
      await table.transact([
        kind.replace(before, after),
        ...(await writes(before, after)),
        ...(password_hash === undefined ? [] : [session, notifyOfNewPassword(kind, after, now)]),
      ]);
    },
  });
}
