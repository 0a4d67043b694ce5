import { afterAll, beforeAll, expect, test } from "vitest";
import { replacedRole, seededRoles } from "#shared/domain/staff/role.ts";
import { changedStaffUser } from "#shared/domain/staff/staff.ts";
import { staffNames } from "#shared/storage/enquiry/enquiries.ts";
import { Roles, ensureRoles, openRoles, replaceRole } from "#shared/storage/staff/roles.ts";
import {
  ActiveOwners,
  countOwners,
  moveRole,
  noOwnerYet,
  openStaff,
  releaseStaffEmail,
  replaceStaffUser,
} from "#shared/storage/staff/staff.ts";
import type { Table } from "#shared/storage/table.ts";
import { Refused } from "#shared/storage/writes.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
let here: TestTable;
beforeAll(async () => {
  here = await startTestTable();
});
afterAll(() => here.stop());

const owners = async () => (await here.table.get(ActiveOwners, {}))?.count;

test("the stored count of active owners is updated by every change, and the last active owner cannot be disabled", async () => {
  await here.table.transact([noOwnerYet()]);
  const one = aStaffUser();
  const two = aStaffUser({ password_hash: null });
  for (const user of [one, two, aStaffUser({ role: "sales" })]) {
    await here.table.transact(addStaff(user));
  }
  expect(await owners()).toBe(1);
  await expect(here.table.transact([noOwnerYet()])).rejects.toThrow(Refused);

  const gone = changedStaffUser(one, { status: "disabled" }, now);
  const leave = [replaceStaffUser(one, gone), ...countOwners(one, gone)];
  await expect(here.table.transact(leave)).rejects.toThrow(Refused);

  const joined = changedStaffUser(two, { password_hash: "$argon2id$" }, now);
  await here.table.transact([replaceStaffUser(two, joined), ...countOwners(two, joined)]);
  expect(await owners()).toBe(2);
  await here.table.transact(leave);
  expect(await owners()).toBe(1);
  expect(countOwners(joined, { ...joined, name: "Asha" })).toEqual([]);
});

test("finding a staff user by email takes the same number of consistent reads for a known and an unknown email", async () => {
  const user = aStaffUser();
  await here.table.transact(addStaff(user));
  const staff = openStaff(here.table);
  expect(await staff.findByEmail(user.email)).toEqual(user);
  for (const email of [user.email, "none@example.com"]) {
    const { calls } = await here.proxy.record(() => staff.findByEmail(email));
    expect(calls.map(({ operation, consistent }) => [operation, consistent])).toEqual([
      ["GetItem", true],
      ["GetItem", true],
    ]);
  }
  await here.table.write(releaseStaffEmail(user));
  expect(await staff.findByEmail(user.email)).toBeUndefined();
});

test("the row of an email names the user's current role, also after it was changed", async () => {
  const user = aStaffUser({ role: "sales" });
  await here.table.transact(addStaff(user));
  const staff = openStaff(here.table);
  expect(await staff.findEmail(user.email)).toMatchObject({ id: user.id, role: "sales" });
  const promoted = changedStaffUser(user, { role: "manager" }, now);
  await here.table.transact([replaceStaffUser(user, promoted), ...moveRole(user, promoted)]);
  expect(await staff.findEmail(user.email)).toMatchObject({ id: user.id, role: "manager" });
  expect(moveRole(promoted, { ...promoted, name: "Asha" })).toEqual([]);
});

test("many staff users are read in one request, and the result omits deleted users", async () => {
  const [one, two] = [aStaffUser(), aStaffUser()];
  for (const user of [one, two]) await here.table.transact(addStaff(user));
  const staff = openStaff(here.table);
  const { result, calls } = await here.proxy.record(() =>
    staff.findMany([one.id, "stf_gone", two.id]),
  );
  expect(result).toEqual([one, two]);
  expect(calls).toHaveLength(1);
  expect(await staff.findMany([])).toEqual([]);
});

test("creating the default roles does not change roles that staff edited", async () => {
  const [first] = seededRoles(now);
  if (!first) throw new Error("There are no roles");
  await ensureRoles(here.table, now);
  const changed = replacedRole(
    first,
    {
      name: "Boss",
      description: null,
      permissions: ["*"],
      requires_second_factor: false,
      max_discount_bps: 0,
    },
    now,
  );
  await here.table.write(replaceRole(first, changed));
  await ensureRoles(here.table, now);
  expect(await openRoles(here.table).list()).toHaveLength(seededRoles(now).length);
  expect(await here.table.get(Roles, { code: first.code })).toEqual(changed);
  await expect(here.table.write(replaceRole(first, changed))).rejects.toThrow(Refused);
});

test("the name of each user is read once for all their records, and none for records without a user", async () => {
  const user = aStaffUser({ role: "sales" });
  await here.table.transact(addStaff(user));
  let reads = 0;
  const table: Table = {
    ...here.table,
    async getMany(wanted) {
      reads += Object.values(wanted).flat().length;
      return here.table.getMany(wanted);
    },
  };
  const nameOf = await staffNames(table, [user.id, null, user.id]);
  expect(nameOf(user.id)).toEqual({ id: user.id, name: user.name });
  expect(reads).toBe(1);
});
