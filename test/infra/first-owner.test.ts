import { afterEach, beforeEach, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { changedStaffUser } from "#shared/domain/staff/staff.ts";
import { inviteFirstOwner } from "#infra/cli/first-owner.ts";
import { Proofs } from "#shared/storage/customer/proofs.ts";
import { openRoles } from "#shared/storage/staff/roles.ts";
import { countOwners, openStaff, replaceStaffUser } from "#shared/storage/staff/staff.ts";
import { plantSettings } from "#test/support/shop/plant.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const first = { email: "Ananya@Example.com", name: "Ananya Deshmukh" };
const somewhere = { ...first, "admin-url": "https://desk.example.com/" };

let here: TestTable;
beforeEach(async () => {
  here = await startTestTable();
});
afterEach(() => here.stop());

const invite = (given: Parameters<typeof inviteFirstOwner>[1]) =>
  inviteFirstOwner(here.table, given, now);

async function proofOf(link: string) {
  const token = new URL(link).searchParams.get("token") ?? "";
  return here.table.get(Proofs, { token_hash: hashOf(token) });
}

test("in an empty shop, first-owner creates the roles, an invited owner and a link that is valid for seven days", async () => {
  const link = await invite(somewhere);
  expect(link).toMatch(
    /^https:\/\/desk\.example\.com\/reset-password\?token=[\w-]{43}&email=ananya%40example\.com$/,
  );
  const owner = await openStaff(here.table).findByEmail("ananya@example.com");
  expect(owner).toMatchObject({ role: "owner", status: "active", password_hash: null });
  expect(await openRoles(here.table).list()).toHaveLength(7);
  expect(await proofOf(link)).toMatchObject({
    guard: "staff",
    subject: owner?.id,
    expires_at: "2026-11-28T09:00:00.000Z",
  });
});

test("the command first-owner invites the same user again if the link was lost", async () => {
  const [one, other] = [await invite(somewhere), await invite(somewhere)];
  expect(one).not.toBe(other);
  expect((await proofOf(other))?.subject).toBe((await proofOf(one))?.subject);
});

test("first-owner takes the back office's URL from the settings or requires it as an option", async () => {
  await expect(invite(first)).rejects.toThrow("--admin-url");
  await plantSettings(here.table);
  expect(await invite(first)).toContain("https://desk.example.com/reset-password?");
});

test("first-owner refuses a second user as first owner", async () => {
  await invite(somewhere);
  const staff = openStaff(here.table);
  const owner = await staff.findByEmail("ananya@example.com");
  if (!owner) throw new Error("There is no owner");
  const settled = changedStaffUser(owner, { password_hash: "$argon2id$" }, now);
  await here.table.transact([replaceStaffUser(owner, settled), ...countOwners(owner, settled)]);
  for (const email of [first.email, "another@example.com"]) {
    await expect(invite({ ...somewhere, email })).rejects.toThrow("already has an owner");
  }
  expect(await staff.findByEmail("another@example.com")).toBeUndefined();
});

test("first-owner refuses to make a staff user of another role an owner", async () => {
  await here.table.transact(addStaff(aStaffUser({ email: "ananya@example.com", role: "sales" })));
  await expect(invite(somewhere)).rejects.toThrow("not an owner");
});
