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

/**
 * Whether a password is among those that attackers try first: a common one in any case of letters, with or without
 * digits and symbols after it, one character repeated, or the account's own email.
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
 * Hashes a password that somebody chooses.
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
