import { randomBytes, timingSafeEqual } from "node:crypto";
import argon2 from "@node-rs/argon2";
import { invalidField } from "../domain/request/app-error.ts";

/** The second of the settings that OWASP recommends for argon2id: 19 MiB, two passes, one lane. Takes about 27 ms. */
export const argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const saltLength = 16;

/** Hashes a password in PHC format, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  const { memory, passes, parallelism } = argon2Cost;
  const tag = await tagOf(password, salt, tagLength, argon2Cost);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

/**
 * Whether a password matches a hash. Without a hash it does the same work and returns false, so that an unknown
 * account takes as long as a wrong password.
 */
export async function passwordFits(password: string, hash: string | undefined): Promise<boolean> {
  const known = hash === undefined ? undefined : parseHash(hash);
  const { salt, tag, cost } = known ?? dummyHash;
  const computed = await tagOf(password, salt, tag.length, cost);
  return timingSafeEqual(computed, tag) && known !== undefined;
}

interface Cost {
  /** KiB */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

interface ParsedHash {
  salt: Buffer;
  tag: Buffer;
  cost: Cost;
}

const dummyHash: ParsedHash = {
  salt: Buffer.alloc(saltLength),
  tag: Buffer.alloc(tagLength),
  cost: argon2Cost,
};

function parseHash(hash: string): ParsedHash {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) throw new TypeError("The stored password hash has an unknown format");
  const [, memory, passes, parallelism, salt = "", tag = ""] = parts;
  return {
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
  };
}

/**
 * Computes the hash with `@node-rs/argon2`. Node's own argon2 is missing if Node was built with an OpenSSL without
 * argon2, as some of Lambda's builds are. The package defaults to argon2id and version 19.
 */
function tagOf(password: string, salt: Buffer, tagLength: number, cost: Cost): Promise<Buffer> {
  return argon2.hashRaw(password.normalize("NFKC"), {
    salt,
    outputLen: tagLength,
    memoryCost: cost.memory,
    timeCost: cost.passes,
    parallelism: cost.parallelism,
  });
}

const text = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

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
