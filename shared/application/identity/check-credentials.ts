import type { LoginInput } from "../../domain/customer/credentials.ts";
import { invalidField } from "../../domain/request/app-error.ts";
import { admit } from "../../auth/rate-limit.ts";
import type { RateCounters } from "../../domain/request/rate-limits.ts";
import type { Guard } from "../../domain/request/identity.ts";
import { type AdmittedLogin, type LoginAttempt, admitLogin } from "./login-attempts.ts";
import { passwordFits } from "../../auth/passwords.ts";
import { type Account, type EmailClaim, nobody } from "../../storage/staff/accounts.ts";

/** How a login finds its account. */
interface Addressed<Known> {
  /** Undefined if no account has the email. */
  readonly claim: EmailClaim | undefined;
  find(id: string): Promise<Known | undefined>;
  /** Called on a failed login; without an account if the email is unknown. */
  refused?(admitted: AdmittedLogin, account: Known | undefined): Promise<void>;
}

/**
 * Checks the email and password of a login. A wrong password, an unknown email and a disabled account get the same
 * response after the same work.
 *
 * @returns the account, and the admission whose counters the login's transaction reduces
 * @throws AppError `validation_failed` on `email`, `too_many_requests`
 */
export async function requireCredentials<Known extends Account>(
  { email, password }: Pick<LoginInput, "email" | "password">,
  { claim, find, refused }: Addressed<Known>,
  attempt: LoginAttempt,
): Promise<{ account: Known; admission: AdmittedLogin }> {
  const [found, admission] = await Promise.all([
    find(claim?.id ?? nobody),
    admitLogin(attempt, { email, claim }),
  ]);
  // The claim was read before the account, whose email may have changed since.
  const account = found?.email === email ? found : undefined;
  const fits = await passwordFits(password, account?.password_hash ?? undefined);
  if (!fits || account?.status !== "active") {
    await refused?.(admission, account);
    throw invalidField("email", "These credentials do not match our records.");
  }
  return { account, admission };
}

/**
 * Requires the current password for an action that a stolen token must not allow. Wrong passwords are counted per
 * account and not per IP address, because only a signed-in user can send them.
 *
 * @param member the member of the body that contains the password
 * @throws AppError `validation_failed` on the member, `too_many_requests`
 */
export async function requirePassword(
  currentPassword: string | undefined,
  member: string,
  { id, session_epoch, password_hash }: Account,
  { guard, rates, now }: { guard: Guard; rates: RateCounters; now: Date },
): Promise<void> {
  if (currentPassword === undefined) {
    throw invalidField(member, `The ${member.replaceAll("_", " ")} field is required.`);
  }
  const account = `${guard}#${id}#${session_epoch}`;
  const admission = await admit(rates, "account_password", account, now);
  if (!(await passwordFits(currentPassword, password_hash ?? undefined))) {
    throw invalidField(member, "The password is incorrect.");
  }
  await admission.succeeded();
}
