import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Activity } from "#shared/domain/staff/activity.ts";
import { seededRoles } from "#shared/domain/staff/role.ts";
import type { AdminStaffUser } from "#shared/domain/staff/staff.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import { Proofs } from "#shared/storage/customer/proofs.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { tally } from "#test/support/shop/shopping.ts";
import { type StaffClient, userOf } from "#test/support/people/people.ts";

let office: BackOffice;
let owner: StaffClient;
let manager: StaffClient;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["mail"] });
  owner = await office.colleague("owner");
  manager = await office.colleague("manager");
});
afterAll(() => office.stop());

type One = { data: AdminStaffUser } & Problem;
const freshEmail = () => `invited.${randomUUID()}@example.com`;
const invite = (by: StaffClient, body: object) => by.ask<One>("POST", "/admin/users", body);
const change = (by: StaffClient, id: string, body: object, headers = {}) =>
  by.ask<One>("PATCH", `/admin/users/${id}`, body, headers);
const accept = (token: string, email: string) =>
  office.asking()<Problem>("POST", "/admin/auth/reset-password", {
    token,
    email,
    password: "chosen by the invited",
  });
const logIn = (email: string) =>
  office.asking()<{ data: { token: string } }>("POST", "/admin/auth/login", {
    email,
    password: "chosen by the invited",
  });

describe("an invitation of a staff user", () => {
  test("creates a user who can set a password with the mailed link once", async () => {
    const email = freshEmail();
    const { status, body, headers, text } = await invite(manager, {
      email,
      name: "Meera Iyer",
      role: "content_editor",
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ email, role: "content_editor", status: "invited" });
    expect(headers.get("location")).toBe(`/api/v1/admin/users/${body.data.id}`);
    expect((await logIn(email)).status).toBe(422);

    const token = await office.mailedToken(email, "reset-password");
    expect(text).not.toContain(token);
    const proof = await office.table.get(Proofs, { token_hash: hashOf(token) });
    const days = (Date.parse(proof?.expires_at ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const uses = await Promise.all([accept(token, email), accept(token, email)]);
    expect(tally(uses)).toEqual({ "200": 1, "422 validation_failed": 1 });
    expect((await logIn(email)).status).toBe(200);
    const read = await owner.ask<One>("GET", `/admin/users/${body.data.id}`);
    expect(read.body.data).toMatchObject({ status: "active", version: 2 });
    expect(read.headers.get("etag")).toBe('"v2"');
  });

  test("that is withdrawn is logged with the status that the user had", async () => {
    const { body } = await invite(owner, { email: freshEmail(), name: "Meera", role: "analyst" });
    const { id } = body.data;
    expect((await change(owner, id, { status: "disabled" })).status).toBe(200);
    expect((await change(owner, id, { status: "active" })).body.data.status).toBe("invited");
    type Log = { data: { changes: { path: string; from: unknown; to: unknown }[] }[] };
    const log = await owner.ask<Log>("GET", `/admin/activity?target=staff:${id}`);
    const moves = log.body.data
      .slice(0, 2)
      .map(({ changes }) => changes.find(({ path }) => path === "status"));
    expect(moves).toEqual([
      { path: "status", from: "disabled", to: "invited" },
      { path: "status", from: "invited", to: "disabled" },
    ]);
  });

  test("can be replaced by requesting a password reset mail; only the newest link is valid", async () => {
    const email = freshEmail();
    await invite(owner, { email, name: "Meera", role: "analyst" });
    const first = await office.mailedToken(email, "reset-password");
    await office.asking()("POST", "/admin/auth/forgot-password", { email });
    await office.inbox.waitFor(email, ({ subject }) => subject.startsWith("Set a new password"));
    const second = await office.mailedToken(email, "reset-password");
    expect((await accept(second, email)).status).toBe(200);
    expect((await accept(first, email)).status).toBe(422);
  });

  test.each([
    [{ email: "no email" }, "email"],
    [{ name: "" }, "name"],
    [{ role: "emperor" }, "role"],
    [{ role: undefined }, "role"],
    [{ password: "a long enough password" }, "password"],
    [{ status: "active" }, "status"],
  ])("is refused with %j", async (part, member) => {
    const { status, body } = await invite(owner, {
      email: freshEmail(),
      name: "Meera",
      role: "sales",
      ...part,
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [member]]);
  });

  test("is refused for the email of an existing user, and concurrent invitations create one user", async () => {
    const email = freshEmail();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => invite(owner, { email, name: "Meera", role: "sales" })),
    );
    expect(tally(replies)).toEqual({ "201": 1, "422 validation_failed": 7 });
    const refused = replies.find(({ status }) => status === 422);
    expect(Object.keys(refused?.body.errors ?? {})).toEqual(["email"]);
  });

  test("is sent once per Idempotency-Key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { email: freshEmail(), name: "Meera", role: "sales" };
    const ask = (overrides = {}) =>
      owner.ask<One>("POST", "/admin/users", { ...body, ...overrides }, headers);
    const replies = await Promise.all([ask(), ask(), ask()]);
    expect(tally(replies)).toEqual({ "201": 3 });
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    const replayed = replies.filter((reply) => reply.headers.has("idempotent-replayed"));
    expect(replayed).toHaveLength(2);
    await office.mailedToken(body.email, "reset-password");
    expect(await office.inbox.mailsTo(body.email)).toHaveLength(1);
    for (const overrides of [{ name: "Asha" }, { email: freshEmail() }]) {
      const other = await ask(overrides);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    }
  });

  test("accepts a role by its id", async () => {
    const sales = seededRoles(new Date()).find(({ code }) => code === "sales");
    const { body } = await invite(owner, { email: freshEmail(), name: "Meera", role: sales?.id });
    expect(body.data.role).toBe("sales");
  });
});

describe("a manager without the owner's permissions", () => {
  test("cannot invite an owner or promote anyone to owner", async () => {
    const clerk = await office.colleague("sales");
    const attempts = [
      await invite(manager, { email: freshEmail(), name: "Meera", role: "owner" }),
      await change(manager, clerk.id, { role: "owner" }),
      await change(manager, manager.id, { role: "owner" }),
    ];
    for (const { status, body } of attempts) {
      expect([status, body.code, body.details]).toEqual([403, "forbidden", { permission: "*" }]);
    }
    expect((await clerk.stored()).role).toBe("sales");
  });

  test.each([{ name: "Nobody" }, { status: "disabled" }, { role: "analyst" }])(
    "cannot change an owner with %j",
    async (body) => {
      const other = await office.colleague("owner");
      const reply = await change(manager, other.id, body);
      expect([reply.status, reply.body.details]).toEqual([403, { permission: "*" }]);
      expect(await other.stored()).toMatchObject({ version: 1 });
    },
  );

  test("can change users whose permissions the manager has", async () => {
    const clerk = await office.colleague("sales");
    const { body } = await change(manager, clerk.id, { role: "order_desk", name: "Rohan" });
    expect(body.data).toMatchObject({ role: "order_desk", name: "Rohan", version: 2 });
  });
});

describe("a change of a staff user", () => {
  test("applies a new role from the next request on, even if the token names the old role", async () => {
    const clerk = await office.colleague("sales");
    const permissions = async () => {
      const { body } = await clerk.ask<{ data: { permissions: string[] } }>(
        "GET",
        "/admin/auth/me",
      );
      return body.data.permissions;
    };
    expect(await permissions()).toContain("leads");
    expect((await clerk.ask("GET", "/admin/users")).status).toBe(403);
    await change(owner, clerk.id, { role: "manager" });
    expect(await permissions()).toContain("staff");
    expect((await clerk.ask("GET", "/admin/users")).status).toBe(200);
    await change(owner, clerk.id, { role: "analyst" });
    expect((await clerk.ask("GET", "/admin/users")).status).toBe(403);
  });

  test("that disables the user ends all sessions at the next request, and reactivation does not restore them", async () => {
    const clerk = await office.colleague("sales");
    expect((await change(owner, clerk.id, { status: "disabled" })).body.data.status).toBe(
      "disabled",
    );
    expect((await clerk.ask("GET", "/admin/auth/me")).status).toBe(401);
    await change(owner, clerk.id, { status: "active" });
    expect((await clerk.ask("GET", "/admin/auth/me")).status).toBe(401);
    const { email } = await clerk.stored();
    const again = await office.asking()("POST", "/admin/auth/login", {
      email,
      password: "a long enough password",
    });
    expect(again.status).toBe(200);
  });

  test("is merged with a concurrent one without If-Match", async () => {
    const clerk = await office.colleague("sales");
    await Promise.all([
      change(owner, clerk.id, { name: "Rohan" }),
      change(owner, clerk.id, { role: "analyst" }),
    ]);
    expect(await clerk.stored()).toMatchObject({ name: "Rohan", role: "analyst", version: 3 });
  });

  test.each([
    [{ email: "other@example.com" }, "email"],
    [{ password: "a long enough password" }, "password"],
    [{ role: "emperor" }, "role"],
    [{ status: "invited" }, "status"],
  ])("is refused with %j", async (body, member) => {
    const clerk = await office.colleague("sales");
    const reply = await change(owner, clerk.id, body);
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [member]]);
    expect(await clerk.stored()).toMatchObject({ version: 1 });
  });

  test("returns 404 for an unknown user", async () => {
    for (const id of ["stf_nobody", owner.id.toLowerCase()]) {
      expect((await change(owner, id, { name: "Nobody" })).status).toBe(404);
      expect((await owner.ask("GET", `/admin/users/${id}`)).status).toBe(404);
    }
  });

  test("is recorded in the activity log with its actor and with masked secrets", async () => {
    const clerk = await office.colleague("sales");
    await change(manager, clerk.id, { role: "analyst" });
    const { email } = await clerk.stored();
    await office.asking()("POST", "/admin/auth/forgot-password", { email });
    await accept(await office.mailedToken(email, "reset-password"), email);
    const { body, text } = await owner.ask<{ data: (Activity & { actor: { id: string } })[] }>(
      "GET",
      `/admin/activity?target=staff:${clerk.id}`,
    );
    expect(body.data.map(({ action, actor }) => [action, actor.id])).toEqual([
      ["staff.reset_password", clerk.id],
      ["staff.update", manager.id],
    ]);
    expect(body.data[1]?.changes).toContainEqual({ path: "role", from: "sales", to: "analyst" });
    expect(text).not.toContain("argon2");
  });
});

describe("the list of staff users", () => {
  interface Page {
    data: AdminStaffUser[];
    meta: { next_cursor: string | null };
  }
  const list = (query: string) => owner.ask<Page & Problem>("GET", `/admin/users?${query}`);

  async function everybody(query: string): Promise<AdminStaffUser[]> {
    const found: AdminStaffUser[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body }: { body: Page } = await list(
        `${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      found.push(...body.data);
      cursor = body.meta.next_cursor;
    }
    return found;
  }

  test("is sorted by email, and its pages contain every user once", async () => {
    const emails = (await everybody("per_page=3")).map(({ email }) => email);
    expect(emails.length).toBeGreaterThan(5);
    expect(emails).toEqual([...new Set(emails)].toSorted());
    expect(emails).toContain((await userOf(office.table, owner.id)).email);
  });

  test("can be filtered by role and status", async () => {
    await invite(owner, { email: freshEmail(), name: "Meera", role: "catalog_editor" });
    const found = await everybody("per_page=4&role=catalog_editor&status=invited");
    expect(found.length).toBeGreaterThan(0);
    for (const user of found) {
      expect(user).toMatchObject({ role: "catalog_editor", status: "invited" });
    }
    expect((await list("role=emperor")).status).toBe(422);
  });
});
