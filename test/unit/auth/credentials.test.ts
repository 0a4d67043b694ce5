import { beforeEach, describe, expect, test } from "vitest";
import { requireCredentials, requirePassword } from "#shared/auth/credentials.ts";
import { AppError } from "#shared/http/errors.ts";
import type { RateCounters } from "#shared/http/rate-limit.ts";
import { aPassword } from "#test/support/customers.ts";
import { aStaffUser } from "#test/support/staff.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
let counted: Map<string, number>;
let rates: RateCounters;
beforeEach(() => {
  counted = new Map();
  rates = {
    async increment({ caller, by = 1 }) {
      const count = (counted.get(caller) ?? 0) + by;
      counted.set(caller, count);
      return count;
    },
  };
});

const attempt = (guard: "customer" | "staff" = "staff") => ({ guard, rates, now });
const refusal = (trying: Promise<unknown>) =>
  trying.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? [error.code, error.refusal.errors] : error),
  );

describe("credentials", () => {
  const user = aStaffUser({ email: "meera@example.com" });
  const given = { email: user.email, password: aPassword };

  test("that fit name their account, and success is taken off the count", async () => {
    const { account, admission } = await requireCredentials(given, user, attempt());
    expect(account).toBe(user);
    expect([...counted]).toEqual([["staff#meera@example.com", 1]]);
    await admission.succeeded();
    expect([...counted]).toEqual([["staff#meera@example.com", 0]]);
  });

  test("that do not are refused alike, after a password was hashed in any case", async () => {
    const wrong = { ...given, password: "not the password" };
    const cases = [
      () => requireCredentials(wrong, user, attempt()),
      () => requireCredentials(wrong, undefined, attempt()),
      () => requireCredentials(given, { ...user, password_hash: null }, attempt()),
      () => requireCredentials(given, { ...user, status: "disabled" as const }, attempt()),
    ];
    const sentence = "These credentials do not match our records.";
    for (const trying of cases) {
      const before = process.cpuUsage();
      expect(await refusal(trying())).toEqual(["validation_failed", { email: [sentence] }]);
      const { user: spent, system } = process.cpuUsage(before);
      // Hashing takes some 25 ms of a core; whatever skipped it would take next to none.
      expect(spent + system).toBeGreaterThan(5_000);
    }
    expect(counted.get("staff#meera@example.com")).toBe(cases.length);
  });

  test("of one guard are counted apart from the other's", async () => {
    await refusal(requireCredentials({ ...given, password: "x" }, undefined, attempt("customer")));
    expect([...counted.keys()]).toEqual(["customer#meera@example.com"]);
  });

  test("are not tried any more after 20 failures in an hour", async () => {
    counted.set("staff#meera@example.com", 20);
    expect(await refusal(requireCredentials(given, user, attempt()))).toEqual([
      "too_many_requests",
      undefined,
    ]);
  });
});

describe("the present password", () => {
  const user = aStaffUser();

  test("is asked for, has to fit, and counts with failed logins", async () => {
    const ask = (given?: string) => requirePassword(given, "current_password", user, attempt());
    expect(await refusal(ask())).toEqual([
      "validation_failed",
      { current_password: ["The current password field is required."] },
    ]);
    expect(await refusal(ask("not it"))).toEqual([
      "validation_failed",
      { current_password: ["The password is incorrect."] },
    ]);
    expect(await refusal(ask(aPassword))).toBeUndefined();
    expect([...counted]).toEqual([[`staff#${user.email}`, 1]]);
  });
});
