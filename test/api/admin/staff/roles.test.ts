import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Role, seededRoles } from "#shared/domain/staff/role.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { tally } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
let owner: StaffClient;
let manager: StaffClient;
beforeAll(async () => {
  office = await openBackOffice();
  owner = await office.colleague("owner");
  manager = await office.colleague("manager");
});
afterAll(() => office.stop());
beforeEach(async () => {
  await office.table.transact(seededRoles(new Date()).map((role) => put(Roles, role)));
});

const replace = (by: StaffClient, role: string, permissions: readonly string[], headers = {}) =>
  by.ask<{ data: Role } & Problem>(
    "PUT",
    `/admin/roles/${role}`,
    { name: "Renamed", permissions },
    headers,
  );
const stored = (code: string) => office.table.get(Roles, { code });

test("GET /admin/roles returns every role with its id", async () => {
  const { body } = await manager.ask<{ data: Role[] }>("GET", "/admin/roles");
  expect(body.data.map(({ code }) => code).toSorted()).toEqual(
    seededRoles(new Date())
      .map(({ code }) => code)
      .toSorted(),
  );
  for (const { id } of body.data) expect(id).toMatch(/^role_/);
});

describe("a role", () => {
  test("can be replaced by code or id, and the change applies to its users' next request", async () => {
    const clerk = await office.colleague("analyst");
    expect((await clerk.ask("GET", "/admin/activity")).status).toBe(403);
    const { status, body, headers } = await replace(owner, "analyst", [
      "content.*",
      "activity.view",
      "activity.view",
    ]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      code: "analyst",
      name: "Renamed",
      description: null,
      permissions: ["activity.view", "content.*"],
      version: 2,
    });
    expect(headers.get("etag")).toBe('"v2"');
    expect((await clerk.ask("GET", "/admin/activity")).status).toBe(200);
    expect((await replace(owner, body.data.id, ["activity"])).status).toBe(200);
    expect((await clerk.ask("GET", "/admin/activity")).status).toBe(200);
    expect((await replace(owner, "analyst", [])).status).toBe(200);
    expect((await clerk.ask("GET", "/admin/activity")).status).toBe(403);
  });

  test.each([
    [["*"], "*"],
    [["settings.edit"], "settings.edit"],
    [["settings.*"], "settings.*"],
    [["settings"], "settings"],
    [["activity"], "activity"],
    [["catalog.view", "exports.*"], "exports.*"],
  ])(
    "refuses the permissions %j from a manager who lacks one of them",
    async (permissions, missing) => {
      const { status, body } = await replace(manager, "sales", permissions);
      expect([status, body.code, body.details]).toEqual([
        403,
        "forbidden",
        { permission: missing },
      ]);
      expect(await stored("sales")).toMatchObject({ version: 1 });
    },
  );

  test("cannot be changed, not even reduced, by a manager who lacks some of its permissions", async () => {
    await replace(owner, "sales", ["settings.edit"]);
    const { status, body } = await replace(manager, "sales", []);
    expect([status, body.details]).toEqual([403, { permission: "settings.edit" }]);
  });

  test("can be granted only the permissions that the manager has, and its users cannot grant more than their own", async () => {
    expect((await replace(manager, "sales", ["staff", "catalog.edit"])).status).toBe(200);
    const clerk = await office.colleague("sales");
    const grabs = await Promise.all([
      replace(clerk, "sales", ["staff", "catalog"]),
      replace(clerk, "analyst", ["staff"]),
      clerk.ask("PATCH", `/admin/users/${clerk.id}`, { role: "manager" }),
    ]);
    expect(grabs.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test("cannot be changed, even by owners, if it is the owner role", async () => {
    for (const permissions of [["*"], ["content"]]) {
      const { status, body } = await replace(owner, "owner", permissions);
      expect([status, body.code]).toEqual([409, "role_fixed"]);
    }
    expect(await stored("owner")).toMatchObject({ permissions: ["*"], version: 1 });
  });

  test("refuses an unknown permission", async () => {
    const { status, body } = await replace(owner, "sales", ["catalog.view", "catalog.burn"]);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["permissions.1"]]);
  });

  test("accepts one of three concurrent replacements of one version", async () => {
    const replies = await Promise.all(
      ["leads", "orders", "media"].map((group) =>
        replace(owner, "sales", [group], { "if-match": '"v1"' }),
      ),
    );
    expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 2 });
    expect(await stored("sales")).toMatchObject({ version: 2 });
  });
});
