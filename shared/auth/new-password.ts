import { invalidField } from "../domain/request/app-error.ts";
import { hashPassword } from "./passwords.ts";

let common: Promise<ReadonlySet<string>> | undefined;

/** Some 49,000 passwords, most of them from leaks; read from their file when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set<string>(dictionary["passwords-common"]),
  );
  return common;
}

/** Whether a password is among those that attackers try first, in any case of letters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).has(password.normalize("NFKC").toLowerCase());
}

/**
 * Hashes a password that somebody chooses.
 *
 * @throws AppError `validation_failed` on `password` when it is a common one
 */
export async function hashNewPassword(password: string): Promise<string> {
  if (await isCommonPassword(password)) {
    throw invalidField(
      "password",
      "This password is on lists of common and leaked passwords. Please choose another one.",
    );
  }
  return hashPassword(password);
}
