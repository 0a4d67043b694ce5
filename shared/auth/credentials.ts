import type { LoginInput } from "../domain/credentials.ts";
import { invalidField } from "../http/errors.ts";
import { type Admission, type RateCounters, admit } from "../http/rate-limit.ts";
import type { Guard } from "./claims.ts";
import { passwordFits } from "./passwords.ts";

/** As much of a customer or staff user as a password is held against. */
interface Account {
  readonly email: string;
  /** null: no password was set yet, so none fits. */
  readonly password_hash: string | null;
}

interface Attempt {
  readonly guard: Guard;
  readonly rates: RateCounters;
  readonly now: Date;
}

/** Wrong passwords count by account, wherever they are tried; a guard's accounts are no business of the other's. */
const counted = ({ guard, rates, now }: Attempt, email: string) =>
  admit(rates, "account_password", `${guard}#${email}`, now);

/**
 * Holds the email and password that somebody signs in with against who has the email. A wrong password, an unknown
 * email and a disabled account get the same answer after the same work.
 *
 * @returns who it is, and the admission that is told when signing in has succeeded
 * @throws AppError `validation_failed` on `email`, `too_many_requests`
 */
export async function requireCredentials<
  Known extends Account & { readonly status: "active" | "disabled" },
>(
  { email, password }: LoginInput,
  found: Known | undefined,
  attempt: Attempt,
): Promise<{ account: Known; admission: Admission }> {
  const admission = await counted(attempt, email);
  const fits = await passwordFits(password, found?.password_hash ?? undefined);
  if (!fits || found?.status !== "active") {
    throw invalidField("email", "These credentials do not match our records.");
  }
  return { account: found, admission };
}

/**
 * Asks for the present password before something that a stolen token must not do. Guesses count with failed logins.
 *
 * @param member of the body that holds it
 * @throws AppError `validation_failed` on the member, `too_many_requests`
 */
export async function requirePassword(
  given: string | undefined,
  member: string,
  { email, password_hash }: Account,
  attempt: Attempt,
): Promise<void> {
  if (given === undefined) {
    throw invalidField(member, `The ${member.replaceAll("_", " ")} field is required.`);
  }
  const admission = await counted(attempt, email);
  if (!(await passwordFits(given, password_hash ?? undefined))) {
    throw invalidField(member, "The password is incorrect.");
  }
  await admission.succeeded();
}
