import { type CountedCall, addToCount, callerOf, count } from "../../auth/rate-limit.ts";
import { type RateCounters } from "../../domain/request/rate-limits.ts";
import { isKnownAddress } from "../../storage/customer/known-addresses.ts";
import type { Table } from "../../storage/table.ts";
import type { Guard } from "../../domain/request/identity.ts";

/** A login, before anything is known of it but where it comes from. */
export interface LoginAttempt {
  readonly guard: Guard;
  readonly ip: string;
  readonly rates: RateCounters;
  readonly table: Table;
  readonly now: Date;
}

/** Whose login it would be. */
interface Target {
  readonly email: string;
  /** Undefined where nobody has the email. */
  readonly account: { readonly id: string; readonly session_epoch: number } | undefined;
}

/**
 * What failed logins to an account count under. A new password begins a new epoch, and with it new counts: that is
 * how a completed reset lifts the locks.
 */
const accountKey = (guard: Guard, email: string, epoch: number) => `${guard}#${email}#${epoch}`;
const pairKey = (account: string, ip: string) => `${account}#${callerOf(ip)}`;

export interface AdmittedLogin {
  /** Takes the login off the counts again, once it has succeeded. */
  succeeded(): Promise<void>;
  /** Whether a limit refuses the next one, should this one fail. */
  readonly locksNow: boolean;
}

/**
 * Counts a login as failed before its password is tried, so that many at once cannot all pass. An account and an
 * address have their own limit. Beyond that of the account over all addresses, those stay welcome that have signed in
 * to it before: a stranger can use up the limit, but lock nobody out. An email that nobody has counts alike.
 *
 * @throws AppError `too_many_requests`
 */
export async function admitLogin(
  { guard, ip, rates, table, now }: LoginAttempt,
  { email, account }: Target,
): Promise<AdmittedLogin> {
  const key = accountKey(guard, email, account?.session_epoch ?? 1);
  const pair = pairKey(key, ip);
  const [minute, hour, everywhere] = await Promise.all([
    count(rates, "login_pair", pair, now),
    count(rates, "login_pair_hour", pair, now),
    count(rates, "login_account", key, now),
  ]);
  const counts = [minute, hour, everywhere];
  const refusal = minute.refusal ?? hour.refusal;
  if (refusal) {
    // What is refused before its password is tried has not failed.
    await undo(counts.filter((counted) => !counted.refusal));
    throw refusal;
  }
  if (everywhere.refusal) {
    const id = { guard, subject: account?.id ?? "nobody", address: callerOf(ip) };
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
 * Forgives an address the failed logins to one account in this minute, after a password reset from there. Its failures
 * with other accounts still count.
 *
 * @param epoch of the account before the reset
 */
export async function forgiveFailures(
  { guard, ip, rates, now }: Omit<LoginAttempt, "table">,
  email: string,
  epoch: number,
): Promise<void> {
  const pair = pairKey(accountKey(guard, email, epoch), ip);
  const failures = await addToCount(rates, { limit: "login_pair", caller: pair, by: 0 }, now);
  if (failures <= 0) return;
  await addToCount(rates, { limit: "login", caller: callerOf(ip), by: -failures }, now);
}
