import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claims, Identity } from "#shared/auth/identity.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import { openStaffIdentity } from "#shared/application/identity/staff-identity.ts";
import { tokenLifetimes, verifyToken } from "#shared/auth/tokens.ts";
import { type RoleCode, seededRoles } from "#shared/domain/staff/role.ts";
import { type StaffUser, changedStaffUser } from "#shared/domain/staff/staff.ts";
import { Roles, ensureRoles } from "#shared/storage/staff/roles.ts";
import { endSession } from "#shared/storage/staff/sessions.ts";
import { replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { put } from "#shared/storage/writes.ts";
import { sequentialSteps, totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { testKeys } from "#test/support/http/identity.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const keys = async () => testKeys.staff;

let here: TestTable;
let identity: Identity;
beforeAll(async () => {
  here = await startTestTable();
  identity = openStaffIdentity(here.table);
  await ensureRoles(here.table, now);
});
afterAll(() => here.stop());

async function signedIn(overrides: Partial<StaffUser> = {}) {
  const user = aStaffUser(overrides);
  const { id: subject, session_epoch: epoch, role } = user;
  const who = { guard: "staff", subject, epoch, role } as const;
  const { token, writes } = await signIn(who, keys, { ip: "10.0.0.1", now });
  await here.table.transact([...addStaff(user), ...writes]);
  const read = await verifyToken(token, "staff", keys, now);
  if (!("claims" in read)) throw new Error(`The token was refused: ${read.distrust}`);
  return { user, claims: read.claims };
}

const sessionState = (claims: Claims, at = now) => identity.sessionState(claims, at);
const grantsOf = (code: RoleCode) =>
  seededRoles(now).find((role) => role.code === code)?.permissions;

describe("a staff user's session", () => {
  test("has the role's permissions and expires after twelve hours", async () => {
    const { claims } = await signedIn({ role: "sales" });
    expect(await sessionState(claims)).toEqual({
      permissions: grantsOf("sales"),
      maxDiscountBps: 1_000,
    });
    const end = new Date(now.getTime() + tokenLifetimes.staff * 1000);
    expect(tokenLifetimes.staff).toBe(12 * 3_600);
    expect(await sessionState(claims, new Date(end.getTime() - 1000))).toBeDefined();
    expect(await sessionState(claims, end)).toBeUndefined();
  });

  test("is checked, including the role, with one strongly consistent request that reads three items", async () => {
    const { claims } = await signedIn({ role: "analyst" });
    const { calls } = await here.proxy.record(() => sessionState(claims));
    expect(calls).toMatchObject([{ operation: "BatchGetItem", consistent: true }]);
    expect(sequentialSteps(calls)).toBe(1);
    expect(totalUnits(calls).read).toBeLessThanOrEqual(4);
  });

  test("has the permissions of the user's current role, which takes one more read if the token names another role", async () => {
    const { user, claims } = await signedIn({ role: "manager" });
    await here.table.write(
      replaceStaffUser(user, changedStaffUser(user, { role: "analyst" }, now)),
    );
    const { result, calls } = await here.proxy.record(() => sessionState(claims));
    expect(result).toEqual({ permissions: grantsOf("analyst"), maxDiscountBps: 0 });
    expect(calls).toMatchObject([
      { operation: "BatchGetItem", consistent: true },
      { operation: "GetItem", consistent: true },
    ]);
    for (const role of ["owner", "no_such_role", "", null]) {
      expect(await sessionState({ ...claims, role })).toEqual(result);
    }
  });

  test("has the current permissions of the role, even after they change", async () => {
    const { claims } = await signedIn({ role: "order_desk" });
    const before = await here.table.get(Roles, { code: "order_desk" });
    if (before) await here.table.write(put(Roles, { ...before, permissions: ["inbox"] }));
    expect(await sessionState(claims)).toEqual({ permissions: ["inbox"], maxDiscountBps: 0 });
  });

  test("is invalid after logout, after the user is disabled or deleted, and after the password changes", async () => {
    const ended = await signedIn();
    await here.table.write(endSession(ended.claims));
    expect(await sessionState(ended.claims)).toBeUndefined();
    for (const changes of [{ status: "disabled" as const }, { password_hash: "$argon2id$new" }]) {
      const { user, claims } = await signedIn();
      await here.table.write(replaceStaffUser(user, changedStaffUser(user, changes, now)));
      expect(await sessionState(claims)).toBeUndefined();
    }
    const { claims } = await signedIn();
    expect(await sessionState({ ...claims, subject: "stf_gone" })).toBeUndefined();
    const other = await signedIn();
    expect(await sessionState({ ...claims, session: other.claims.session })).toBeUndefined();
  });
});
