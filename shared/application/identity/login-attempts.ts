import {
  addToCount,
  callerOf,
  countAttempt,
  countBoth,
  innerCount,
} from "../../auth/rate-limit.ts";
import type { Counter, NestedRateCounters } from "../../domain/request/rate-limits.ts";
import { isKnownAddress } from "../../storage/customer/known-addresses.ts";
import { type EmailClaim, nobody } from "../../storage/staff/accounts.ts";
import type { Table } from "../../storage/table.ts";
import type { Guard } from "../../domain/request/identity.ts";

/** A login, before its account is known. */
export interface LoginAttempt {
  readonly guard: Guard;
  readonly ip: string;
  readonly rates: NestedRateCounters;
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
/** The limits of a pair of account and IP address. */
const pairLimits = { outer: "login_pair_hour", inner: "login_pair" } as const;

export interface AdmittedLogin {
  /** The counters that contain the login. A successful login takes itself out of them in its transaction. */
  readonly counters: readonly Counter[];
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
  const [here, everywhere] = await Promise.all([
    countBoth(rates, pairLimits, pair, now),
    countAttempt(rates, "login_account", key, now),
  ]);
  if (here.refusal) {
    // A login that is refused before the password check does not count as failed.
    if (!everywhere.refusal) await everywhere.undo();
    throw here.refusal;
  }
  if (everywhere.refusal) {
    const id = { guard, subject: target.claim?.id ?? nobody, address: callerOf(ip) };
    if (!(await isKnownAddress(table, id, now))) {
      await here.undo();
      throw everywhere.refusal;
    }
  }
  return {
    counters: [...here.counters, ...everywhere.counters],
    locksNow: here.isLast || everywhere.isLast,
  };
}

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
  const failures = await innerCount(rates, pairLimits, pair, now);
  if (failures <= 0) return;
  await addToCount(rates, { limit: "login", caller: callerOf(ip), by: -failures }, now);
}
