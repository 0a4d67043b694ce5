import type { LoginInput } from "../../domain/customer/credentials.ts";
import { invalidField } from "../../domain/request/app-error.ts";
import { admit } from "../../auth/rate-limit.ts";
import { type RateCounters } from "../../domain/request/rate-limits.ts";
import type { Guard } from "../../domain/request/identity.ts";
import { type AdmittedLogin, type LoginAttempt, admitLogin } from "./login-attempts.ts";
import { passwordFits } from "../../auth/passwords.ts";

/** As much of a customer or staff user as a password is held against. */
interface Account {
  readonly id: string;
  readonly session_epoch: number;
  /** null: no password was set yet, so none fits. */
  readonly password_hash: string | null;
}

/**
 * Holds the email and password that somebody signs in with against who has the email. A wrong password, an unknown
 * email and a disabled account get the same answer after the same work.
 *
 * @param attempt.refused hears of a wrong one, whether or not somebody has the email
 * @returns who it is, and the admission that is told when signing in has succeeded
 * @throws AppError `validation_failed` on `email`, `too_many_requests`
 */
export async function requireCredentials<
  Known extends Account & { readonly status: "active" | "disabled" },
>(
  { email, password }: Pick<LoginInput, "email" | "password">,
  found: Known | undefined,
  { refused, ...attempt }: LoginAttempt & { refused?: (admitted: AdmittedLogin) => Promise<void> },
): Promise<{ account: Known; admission: AdmittedLogin }> {
  const admission = await admitLogin(attempt, { email, account: found });
  const fits = await passwordFits(password, found?.password_hash ?? undefined);
  if (!fits || found?.status !== "active") {
    await refused?.(admission);
    throw invalidField("email", "These credentials do not match our records.");
  }
  return { account: found, admission };
}

/**
 * Asks for the present password before something that a stolen token must not do. Guesses count by account: only who
 * is signed in can make them.
 *
 * @param member of the body that holds it
 * @throws AppError `validation_failed` on the member, `too_many_requests`
 */
export async function requirePassword(
  given: string | undefined,
  member: string,
  { id, session_epoch, password_hash }: Account,
  { guard, rates, now }: { guard: Guard; rates: RateCounters; now: Date },
): Promise<void> {
  if (given === undefined) {
    throw invalidField(member, `The ${member.replaceAll("_", " ")} field is required.`);
  }
  const account = `${guard}#${id}#${session_epoch}`;
  const admission = await admit(rates, "account_password", account, now);
  if (!(await passwordFits(given, password_hash ?? undefined))) {
    throw invalidField(member, "The password is incorrect.");
  }
  await admission.succeeded();
}
