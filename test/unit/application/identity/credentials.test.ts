import { beforeEach, describe, expect, test } from "vitest";
import {
  requireCredentials,
  requirePassword,
} from "#shared/application/identity/check-credentials.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { NestedRateCounters } from "#shared/domain/request/rate-limits.ts";
import type { StaffUser } from "#shared/domain/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { aPassword } from "#test/support/people/members.ts";
import { aStaffUser } from "#test/support/people/staff.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
let counted: Map<string, number>;
let rates: NestedRateCounters;
beforeEach(() => {
  counted = new Map();
  const add = (name: string, by: number) => {
    const count = (counted.get(name) ?? 0) + by;
    counted.set(name, count);
    return count;
  };
  rates = {
    increment: async ({ limit, caller, by = 1 }) => add(`${limit} ${caller}`, by),
    incrementBoth: async ({ limit, caller, inner, by = 1 }) => ({
      inner: add(`${inner.limit} ${caller}`, by),
      outer: add(`${limit} ${caller}`, by),
    }),
  };
});

/** An empty table, in which no IP address is known from an earlier login. */
const table = { get: async () => undefined } as unknown as Table;
const attempt = (guard: "customer" | "staff" = "staff") => ({
  guard,
  ip: "10.0.0.1",
  rates,
  table,
  now,
});
const account = "staff#meera@example.com#0";
const pair = `${account}#10.0.0.1`;
/** What a login reads by its email: the claim of the email, and the user. */
const foundAs = (user: StaffUser | undefined) => ({
  claim: user && { id: user.id, password_resets: 0 },
  find: async () => user,
});
const refusal = (trying: Promise<unknown>) =>
  trying.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? [error.code, error.refusal.errors] : error),
  );

describe("sign-in credentials", () => {
  const user = aStaffUser({ email: "meera@example.com" });
  const credentials = { email: user.email, password: aPassword };

  test("identify their account if they are correct, and the attempt does not count as a failure", async () => {
    const signedIn = await requireCredentials(credentials, foundAs(user), attempt());
    expect(signedIn.account).toBe(user);
    const names = [`login_pair ${pair}`, `login_pair_hour ${pair}`, `login_account ${account}`];
    expect([...counted]).toEqual(names.map((name) => [name, 1]));
    expect(signedIn.admission.counters).toMatchObject([
      { limit: "login_pair_hour", caller: pair, inner: { limit: "login_pair" } },
      { limit: "login_account", caller: account },
    ]);
  });

  test("return the same error if they are wrong, always after hashing a password", async () => {
    const wrong = { ...credentials, password: "not the password" };
    const cases = [
      () => requireCredentials(wrong, foundAs(user), attempt()),
      () => requireCredentials(wrong, foundAs(undefined), attempt()),
      ...[
        { ...user, password_hash: null },
        { ...user, status: "disabled" as const },
        { ...user, email: "moved@example.com" },
      ].map((found) => () => requireCredentials(credentials, foundAs(found), attempt())),
    ];
    const sentence = "These credentials do not match our records.";
    for (const trying of cases) {
      const before = process.cpuUsage();
      expect(await refusal(trying())).toEqual(["validation_failed", { email: [sentence] }]);
      const { user: spent, system } = process.cpuUsage(before);
      // A hash takes about 25 ms of CPU time; a refusal without a hash takes far less than 5 ms.
      expect(spent + system).toBeGreaterThan(5_000);
    }
    expect(counted.get(`login_account ${account}`)).toBe(cases.length);
  });

  test("are rate-limited separately for customers and staff", async () => {
    await refusal(
      requireCredentials(
        { ...credentials, password: "x" },
        foundAs(undefined),
        attempt("customer"),
      ),
    );
    for (const name of counted.keys()) expect(name).toContain(" customer#meera@example.com#0");
  });

  test.each([
    [`login_pair ${pair}`, 5],
    [`login_pair_hour ${pair}`, 20],
    [`login_account ${account}`, 100],
  ])(
    "are refused once the counter %s is at %i, and the refusal increments no other counter",
    async (name, most) => {
      counted.set(name, most);
      expect(await refusal(requireCredentials(credentials, foundAs(user), attempt()))).toEqual([
        "too_many_requests",
        undefined,
      ]);
      const others = [...counted].filter(([other]) => other !== name);
      expect(others.map(([, failures]) => failures)).toEqual([0, 0]);
    },
  );
});

describe("the current password, sent to confirm a change,", () => {
  const user = aStaffUser();

  test("is required and must be correct, and a wrong one is counted for the account only", async () => {
    const ask = (password?: string) =>
      requirePassword(password, "current_password", user, attempt());
    expect(await refusal(ask())).toEqual([
      "validation_failed",
      { current_password: ["The current password field is required."] },
    ]);
    expect(await refusal(ask("not it"))).toEqual([
      "validation_failed",
      { current_password: ["The password is incorrect."] },
    ]);
    expect(await refusal(ask(aPassword))).toBeUndefined();
    expect([...counted]).toEqual([[`account_password staff#${user.id}#1`, 1]]);
  });
});
