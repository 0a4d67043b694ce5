import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import { usedCode } from "#shared/application/identity/second-factor.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import {
  type SecondFactor,
  findSecondFactor,
  replaceSecondFactor,
} from "#shared/storage/staff/second-factors.ts";
import type { Write } from "#shared/storage/writes.ts";

export const wrongCode = () => invalidField("code", "This code is wrong or has already been used.");

/**
 * Uses up a second factor's code in one transaction with its effect. Of concurrent requests with the same code, only
 * one succeeds.
 *
 * @returns whether the code was valid; only then are the further writes stored
 */
export async function useCode(
  staffId: string,
  code: string,
  { table, settingsKeys: keys }: { readonly table: Table; readonly settingsKeys: KeySource },
  { now, writes = [] }: { now: Date; writes?: readonly Write[] },
): Promise<boolean> {
  const read = () => findSecondFactor(table, staffId);
  return retryOnConflict(await read(), read, async (before: SecondFactor | undefined) => {
    const after = before?.confirmed ? await usedCode(before, code, { keys, now }) : undefined;
    if (!before || !after) return false;
    await table.transact([replaceSecondFactor(before, after), ...writes]);
    return true;
  });
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
