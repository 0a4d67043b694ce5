import type { Shop } from "#shared/application/shop.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { lockedUntil } from "#shared/auth/rate-limit.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import {
  lockEndOf,
  usedCode,
  withWrongCode,
  wrongCodesToLock,
} from "#shared/application/identity/second-factor-codes.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import {
  type SecondFactor,
  findSecondFactor,
  replaceSecondFactor,
} from "#shared/storage/staff/second-factors.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import type { Write } from "#shared/storage/writes.ts";

export const wrongCode = () => invalidField("code", "This code is wrong or has already been used.");

interface CodeCall {
  readonly requestId: string;
  readonly now: Date;
}

/**
 * Uses up a second factor's code in one transaction with its effect. Of concurrent requests with the same code, only
 * one succeeds. Wrong codes are counted exactly, however many are sent at once: ten in a row lock the second factor,
 * and the user is mailed.
 *
 * @returns whether the code was valid; only then are the further writes stored
 * @throws AppError `too_many_requests` while the second factor is locked
 */
export async function useCode(
  user: StaffUser,
  code: string,
  { table, settingsKeys: keys }: Shop<"table" | "settingsKeys">,
  { requestId, now, writes = [] }: CodeCall & { readonly writes?: readonly Write[] },
): Promise<boolean> {
  const read = () => findSecondFactor(table, user.id);
  return retryOnConflict(await read(), read, async (before: SecondFactor | undefined) => {
    if (!before?.confirmed) return false;
    const lockEnds = lockEndOf(before, now);
    if (lockEnds) throw lockedUntil("Too many wrong codes.", wrongCodesToLock, lockEnds, now);
    const used = await usedCode(before, code, { keys, now });
    const after = used ?? withWrongCode(before, now);
    const effects = used ? writes : lockWrites(user, after, { requestId, now });
    await table.transact([replaceSecondFactor(before, after), ...effects]);
    return used !== undefined;
  });
}

/** The log record and the mail of a lock, if the wrong code before them caused one. */
function lockWrites(user: StaffUser, after: SecondFactor, { requestId, now }: CodeCall): Write[] {
  if (!lockEndOf(after, now)) return [];
  const { email: to, name } = user;
  const target = { kind: "staff", id: user.id, label: name };
  return [
    recordActivity({ actor: user, requestId, now }, "staff.second_factor_locked", target, {}),
    publishEvent(
      { type: "staff_second_factor_locked", to, name, changed_at: now.toISOString() },
      now,
    ),
  ];
}

/**
 * Returns the caller's row.
 *
 * @throws AppError `unauthenticated` if there is no row, although a caller with a valid session should have one
 */
export function requireUser(user: StaffUser | undefined): StaffUser {
  if (!user) throw new AppError("unauthenticated");
  return user;
}
