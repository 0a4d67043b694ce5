import { type CountedCall, addToCount, callerOf, count } from "../../auth/rate-limit.ts";
import { type RateCounters } from "../../domain/request/rate-limits.ts";
import { isKnownAddress } from "../../storage/customer/known-addresses.ts";
import { type EmailClaim, nobody } from "../../storage/staff/email-claim.ts";
import type { Table } from "../../storage/table.ts";
import type { Guard } from "../../domain/request/identity.ts";

/** A login, before its account is known. */
export interface LoginAttempt {
  readonly guard: Guard;
  readonly ip: string;
  readonly rates: RateCounters;
  readonly table: Table;
  readonly now: Date;
}

/** The account that a login addresses. */
interface Target {
  readonly email: string;
  /** Undefined if no account has the email. */
  readonly claim: EmailClaim | undefined;
}

/** The key of an account's failed logins. A completed password reset starts new counters, so it lifts the locks. */
const accountKey = (guard: Guard, { email, claim }: Target) =>
  `${guard}#${email}#${claim?.password_resets ?? 0}`;
const pairKey = (account: string, ip: string) => `${account}#${callerOf(ip)}`;

export interface AdmittedLogin {
  /** Removes the login from the counters after it succeeded. */
  succeeded(): Promise<void>;
  /** Whether a limit will refuse the next login if this one fails. */
  readonly locksNow: boolean;
}

/**
 * Counts a login as failed before the password is checked, so that concurrent logins cannot exceed the limit. One limit
 * applies to each pair of account and IP address. A second limit applies to the account across all addresses. The
 * account's known addresses are exempt from the second limit, so that a stranger who uses it up does not lock the owner
 * out. Logins with an unknown email are counted in the same way.
 *
 * @throws AppError `too_many_requests`
 */
export async function admitLogin(
  { guard, ip, rates, table, now }: LoginAttempt,
  target: Target,
): Promise<AdmittedLogin> {
  const key = accountKey(guard, target);
  const pair = pairKey(key, ip);
  const [minute, hour, everywhere] = await Promise.all([
    count(rates, "login_pair", pair, now),
    count(rates, "login_pair_hour", pair, now),
    count(rates, "login_account", key, now),
  ]);
  const counts = [minute, hour, everywhere];
  const refusal = minute.refusal ?? hour.refusal;
  if (refusal) {
    // A login that is refused before the password check does not count as failed.
    await undo(counts.filter((counted) => !counted.refusal));
    throw refusal;
  }
  if (everywhere.refusal) {
    const id = { guard, subject: target.claim?.id ?? nobody, address: callerOf(ip) };
    if (!(await isKnownAddress(table, id, now))) {
      await undo([minute, hour]);
      throw everywhere.refusal;
    }
  }
  return { succeeded: () => undo(counts), locksNow: counts.some(({ isLast }) => isLast) };
}

const undo = async (counts: readonly CountedCall[]): Promise<void> =>
  void (await Promise.all(counts.map((counted) => counted.undo())));

/**
 * Clears the failed logins from one IP address to one account in the current minute, after a password reset from that
 * address. Failed logins to other accounts still count.
 *
 * @param target the account as it was before the reset
 */
export async function forgiveFailures(
  { guard, ip, rates, now }: Omit<LoginAttempt, "table">,
  target: Target,
): Promise<void> {
  const pair = pairKey(accountKey(guard, target), ip);
  const failures = await addToCount(rates, { limit: "login_pair", caller: pair, by: 0 }, now);
  if (failures <= 0) return;
  await addToCount(rates, { limit: "login", caller: callerOf(ip), by: -failures }, now);
}
