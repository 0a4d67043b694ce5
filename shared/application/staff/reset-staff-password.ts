import type { Shop } from "#shared/application/shop.ts";
import { forgiveFailures } from "#shared/application/identity/login-attempts.ts";
import {
  linkIsDead,
  mailLink,
  mailNobody,
  staffAddressee,
} from "#shared/application/identity/mailed-links.ts";
import { hashNewPassword } from "#shared/auth/new-password.ts";
import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { StaffResetInput, StaffUser } from "#shared/domain/staff/staff.ts";
import { rememberAddress } from "#shared/storage/customer/known-addresses.ts";
import type { Proof } from "#shared/storage/customer/proofs.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { countStaffReset } from "#shared/storage/staff/staff.ts";
import type { Write } from "#shared/storage/writes.ts";
import type * as z from "zod";
import { useProof } from "./use-staff-proof.ts";

/**
 * Mails a link that resets a staff user's password. Takes the same time if there is no user.
 *
 * @param found the user with this email
 * @throws AppError `too_many_requests`
 */
export async function mailStaffResetLink(
  email: string,
  found: StaffUser | undefined,
  shop: Shop<"table" | "randomBytes" | "rates">,
  now: Date,
): Promise<void> {
  await admit(shop.rates, "account_forgot", `staff#${email}`, now);
  const writes =
    found?.status === "active"
      ? mailLink("staff_reset_password", staffAddressee(found), shop, now)
      : mailNobody("staff_reset_password", { guard: "staff", email }, shop, now);
  await shop.table.transact(writes);
}

interface ResetCall {
  readonly body: z.output<typeof StaffResetInput>;
  readonly ip: string;
  readonly requestId: string;
  readonly now: Date;
}

interface ReadForReset {
  readonly proof: Proof | undefined;
  /** The claim of the email, which counts the account's failed logins. */
  readonly claim: Parameters<typeof forgiveFailures>[1]["claim"];
}

/**
 * Sets a password with the token of a reset link or an invitation, ends the user's sessions and lifts the login locks.
 *
 * @throws AppError `validation_failed` on `token` or `password`
 */
export async function resetStaffPassword(
  { body, ip, requestId, now }: ResetCall,
  { proof, claim }: ReadForReset,
  shop: Shop<"table" | "rates">,
): Promise<void> {
  const { token, email, password } = body;
  if (proof?.email !== email) throw linkIsDead();
  const { guard, subject } = proof;
  const password_hash = await hashNewPassword(password, email);
  await useProof({ token, proof, requestId, now }, shop, (user) => {
    if (user.email !== email) return undefined;
    const invited = user.password_hash === null;
    return {
      action: invited ? "staff.accept_invitation" : "staff.reset_password",
      changes: { password_hash },
      writes: [
        countStaffReset(user),
        ...(invited ? [] : [notifyOfNewPassword(user, now)]),
        rememberAddress({ guard, subject, address: callerOf(ip) }, now),
      ],
    };
  });
  await forgiveFailures({ guard, ip, rates: shop.rates, now }, { email, claim });
}

/** The mail warns a user who did not change the password. */
export function notifyOfNewPassword({ email: to, name }: StaffUser, now: Date): Write {
  const changed_at = now.toISOString();
  return publishEvent({ type: "staff_password_changed", to, name, changed_at }, now);
}
