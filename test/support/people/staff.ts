import { newId } from "#shared/domain/base/ids.ts";
import { type StaffUser, newStaffUser } from "#shared/domain/staff/staff.ts";
import { addStaffUser, claimStaffEmail, countOwners } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import { aPassword, aPasswordHash } from "./members.ts";
import { Secret, TOTP } from "otpauth";
import { SecondFactors, replaceSecondFactor } from "#shared/storage/staff/second-factors.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Data } from "../shop/shopping.ts";
import type { StaffClient } from "./people.ts";

/** A stored staff user with a unique id and email. Default: an owner who signs in with `aPassword`. */
export function aStaffUser(overrides: Partial<StaffUser> = {}): StaffUser {
  const now = new Date();
  const id = newId("stf", now);
  const user = newStaffUser(
    { name: "Meera Iyer", email: `${id.toLowerCase()}@example.com`, role: "owner" },
    { id, now, password_hash: aPasswordHash },
  );
  return { ...user, ...overrides };
}

/** The writes of a new user. */
export const addStaff = (user: StaffUser): Write[] => [
  addStaffUser(user),
  claimStaffEmail(user),
  ...countOwners(undefined, user),
];

export interface TotpSetup {
  secret: string;
  otpauth_url: string;
}

/** The code of an authenticator app, this many steps of 30 seconds from now. */
export const codeAt = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** Allows codes that were used before to be used again. */
export async function forgetUsedCodes(table: Table, staffId: string): Promise<void> {
  const factor = await table.get(SecondFactors, { staff_id: staffId });
  if (!factor) throw new Error(`${staffId} has no second factor`);
  await table.write(replaceSecondFactor(factor, { ...factor, last_step: 0 }));
}

/** Sets up an authenticator app. The code of the current step can be used again, although the setup has used it. */
export async function enrolSecondFactor(table: Table, me: StaffClient) {
  const setup = await me.post<Data<TotpSetup>>("/admin/auth/totp", { password: aPassword });
  const { secret } = setup.body.data;
  const confirmed = await me.post<Data<{ recovery_codes: string[] }>>("/admin/auth/totp/confirm", {
    code: codeAt(secret),
  });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  await forgetUsedCodes(table, me.id);
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes };
}
