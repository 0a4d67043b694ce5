import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRoles } from "#shared/domain/staff/role.ts";
import { ActiveOwners } from "#shared/storage/staff/staff.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { tally } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
/** A user with every permission who is not an owner, so the demotion of owners does not affect this user. */
let deputy: StaffClient;
let first: StaffClient;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["mail"] });
  const role = seededRoles(new Date()).find(({ code }) => code === "manager");
  if (role) await office.table.write(put(Roles, { ...role, permissions: ["*"] }));
  deputy = await office.colleague("manager");
  first = await office.colleague("owner");
});
afterAll(() => office.stop());

const change = ({ id }: StaffClient, body: object) =>
  deputy.ask<Problem>("PATCH", `/admin/users/${id}`, body);
const activeOwners = async () => (await office.table.get(ActiveOwners, {}))?.count;

test.each([{ status: "disabled" }, { role: "analyst" }, { status: "disabled", role: "sales" }])(
  "a change to %j is refused for the last active owner",
  async (body) => {
    expect(await activeOwners()).toBe(1);
    for (const by of [deputy, first]) {
      const reply = await by.ask<Problem>("PATCH", `/admin/users/${first.id}`, body);
      expect([reply.status, reply.body.code]).toEqual([409, "last_owner"]);
    }
    expect(await first.stored()).toMatchObject({ role: "owner", status: "active", version: 1 });
  },
);

test("one of two owners remains when concurrent requests demote or disable both", async () => {
  const parts = [{ role: "analyst" }, { status: "disabled" }];
  for (let round = 0; round < 12; round++) {
    const owners = [first, await office.colleague("owner")];
    expect(await activeOwners()).toBe(2);
    const replies = await Promise.all(
      owners.map((owner, position) => change(owner, parts[(round + position) % 2] ?? {})),
    );
    expect(tally(replies)).toEqual({ "200": 1, "409 last_owner": 1 });
    expect(await activeOwners()).toBe(1);
    const stays = owners.find((_owner, position) => replies[position]?.status === 409);
    expect(await stays?.stored()).toMatchObject({ role: "owner", status: "active" });
    first = stays ?? first;
  }
});

test("one of two owners remains when they demote each other concurrently", async () => {
  const other = await office.colleague("owner");
  const replies = await Promise.all([
    first.ask("PATCH", `/admin/users/${other.id}`, { role: "analyst" }),
    other.ask("PATCH", `/admin/users/${first.id}`, { role: "analyst" }),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await activeOwners()).toBe(1);
  first = replies[0]?.status === 200 ? first : other;
});

test("an invited owner counts as an active owner once they have set a password", async () => {
  const email = "next.owner@example.com";
  const invited = await first.ask("POST", "/admin/users", { email, name: "Meera", role: "owner" });
  expect(invited.status).toBe(201);
  expect((await change(first, { role: "analyst" })).status).toBe(409);

  const token = await office.mailedToken(email, "reset-password");
  const password = "chosen by the invited";
  await office.asking()("POST", "/admin/auth/reset-password", { token, email, password });
  expect(await activeOwners()).toBe(2);
  expect((await change(first, { role: "analyst" })).status).toBe(200);
  expect(await activeOwners()).toBe(1);
});
