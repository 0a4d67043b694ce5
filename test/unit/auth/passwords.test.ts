import { argon2Sync, randomBytes } from "node:crypto";
import argon2 from "@node-rs/argon2";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { argon2Cost, hashPassword, passwordFits } from "#shared/auth/passwords.ts";
import { aPassword, aPasswordHash } from "#test/support/people/members.ts";

describe("a password hash", () => {
  test("is in PHC format with its cost parameters and matches only its own password", async () => {
    const hash = await hashPassword("a long enough password");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwordFits("a long enough password", hash)).toBe(true);
    expect(await passwordFits("a long enough passwora", hash)).toBe(false);
    expect(await passwordFits("", hash)).toBe(false);
  });

  test("differs from any other hash of the same password", async () => {
    const [one, other] = await Promise.all([hashPassword("same"), hashPassword("same")]);
    expect(one).not.toBe(other);
  });

  test("matches the password in any Unicode normalization form", async () => {
    expect(await passwordFits("cafe\u0301 au lait", await hashPassword("caf\u00e9 au lait"))).toBe(
      true,
    );
  });

  test("still matches if it was made with other cost parameters", async () => {
    // From the reference implementation: printf password | argon2 somesalt -id -t 2 -k 65536 -p 1
    const hash =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await passwordFits("password", hash)).toBe(true);
    expect(await passwordFits("passwore", hash)).toBe(false);
  });

  test("matches if Node's argon2 created it", { tags: "slow" }, async () => {
    const { memory, passes, parallelism } = argon2Cost;
    const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 128 }), async (password) => {
        const [message, nonce] = [password.normalize("NFKC"), randomBytes(16)];
        const tag = argon2Sync("argon2id", { message, nonce, tagLength: 32, ...argon2Cost });
        const cost = `m=${memory},t=${passes},p=${parallelism}`;
        const hash = `$argon2id$v=19$${cost}$${text(nonce)}$${text(tag)}`;
        expect(await passwordFits(password, hash)).toBe(true);
        expect(await passwordFits(`${password}x`, hash)).toBe(false);
      }),
      { numRuns: 10 },
    );
  });

  test("matches if an earlier release created it", async () => {
    expect(await passwordFits(aPassword, aPasswordHash)).toBe(true);
  });

  test("throws if its format is unknown, instead of counting as a wrong password", async () => {
    await expect(passwordFits("x", "$2b$10$abcdefghijklmnopqrstuv")).rejects.toThrow(TypeError);
  });
});

describe("the password check of an account without a hash", () => {
  test("accepts no password, not even an empty one", async () => {
    for (const password of ["", "password", "\0".repeat(32)]) {
      expect(await passwordFits(password, undefined)).toBe(false);
    }
  });

  test("takes as long as the check of a wrong password", async () => {
    const hash = await hashPassword("right");
    const derivation = vi.spyOn(argon2, "hashRaw");
    onTestFinished(() => derivation.mockRestore());
    await passwordFits("wrong", hash);
    await passwordFits("wrong", undefined);
    const work = derivation.mock.calls.map(([password, options]) => {
      const { salt, ...cost } = options ?? {};
      return { password, saltLength: salt?.length, cost };
    });
    expect(work).toHaveLength(2);
    expect(work[1]).toEqual(work[0]);
    expect(argon2Cost.memory).toBeGreaterThanOrEqual(19_456);
  });
});
