import { invalidField } from "../domain/request/app-error.ts";
import { hashPassword } from "./passwords.ts";

let common: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 passwords, most of them from leaks. Loaded when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set<string>(dictionary["passwords-common"]),
  );
  return common;
}

/**
 * Whether a password is one that attackers try first: a common password in any case, also with digits and symbols after
 * it; one repeated character; or the account's own email or the part of it before the at sign.
 */
async function isEasilyGuessed(password: string, email: string): Promise<boolean> {
  const plain = password.normalize("NFKC").toLowerCase();
  const word = plain.replace(/[^\p{L}]+$/u, "");
  const [local] = email.toLowerCase().split("@");
  if (plain === email.toLowerCase() || plain === local || new Set(plain).size === 1) return true;
  const common = await commonPasswords();
  return common.has(plain) || common.has(word);
}

/**
 * Hashes a new password.
 *
 * @param email of the account
 * @throws AppError `validation_failed` on `password` when it is easily guessed
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  if (await isEasilyGuessed(password, email)) {
    throw invalidField(
      "password",
      "This password is on lists of common and leaked passwords. Please choose another one.",
    );
  }
  return hashPassword(password);
}
