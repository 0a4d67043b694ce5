import { Secret, TOTP } from "otpauth";
import { SecondFactors, replaceSecondFactor } from "#shared/storage/staff/second-factors.ts";
import type { Table } from "#shared/storage/table.ts";
import type { Data } from "../shop/shopping.ts";
import type { StaffClient } from "./staff-client.ts";

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
  const setup = await me.post<Data<TotpSetup>>("/admin/auth/totp", undefined);
  const { secret } = setup.body.data;
  const confirmed = await me.post<Data<{ recovery_codes: string[] }>>("/admin/auth/totp/confirm", {
    code: codeAt(secret),
  });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  await forgetUsedCodes(table, me.id);
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes };
}
