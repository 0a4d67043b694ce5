import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { StaffProfile } from "#shared/domain/staff/staff.ts";
import { Proofs } from "#shared/storage/customer/proofs.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aPassword } from "#test/support/people/members.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { tally } from "#test/support/shop/shopping.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { expectAfter } from "#test/support/stack/clock.ts";

let office: BackOffice;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["mail"] });
});
afterAll(() => office.stop());

interface LoggedIn {
  data: { token: string; token_type: string; expires_at: string; user: StaffProfile };
}
const newPassword = "a longer password yet";
const post = <Body = Problem>(path: string, body: unknown) =>
  office.asking()<Body>("POST", `/admin/auth/${path}`, body);
const logIn = (email: string, password = aPassword) =>
  post<LoggedIn & Problem>("login", { email, password });
const statusOf = async (token: string) =>
  (await office.asking(token)("GET", "/admin/auth/me")).status;
const freshEmail = () => `new.${randomUUID()}@example.com`;

describe("staff login", () => {
  test("returns a valid token and its user", async () => {
    const user = aStaffUser({ role: "sales" });
    await office.table.transact(addStaff(user));
    const before = new Date();
    const { status, body, text } = await logIn(user.email.toUpperCase());
    expect(status).toBe(200);
    const { id, email, name } = user;
    expect(body.data).toMatchObject({
      token_type: "Bearer",
      user: { id, email, name, role: "sales", status: "active", pending_email: null },
    });
    expect(body.data.user.permissions).toContain("leads");
    expect(text).not.toMatch(/argon2|session_epoch|password/);
    expectAfter(body.data.expires_at, before, 12 * 3_600_000);
    const me = await office.asking(body.data.token)<{ data: StaffProfile }>(
      "GET",
      "/admin/auth/me",
    );
    expect(me.body.data).toEqual(body.data.user);
    expect(me.headers.get("etag")).toBe('"v1"');
  });

  test("returns the same error for a wrong password, an unknown email, a disabled user and an invited user", async () => {
    const users = [
      aStaffUser(),
      aStaffUser({ status: "disabled" }),
      aStaffUser({ password_hash: null }),
    ];
    for (const user of users) await office.table.transact(addStaff(user));
    const [active, disabled, invited] = users.map(({ email }) => email);
    const replies = await Promise.all([
      logIn(active ?? "", "not the password"),
      logIn(freshEmail()),
      logIn(disabled ?? ""),
      logIn(invited ?? ""),
    ]);
    const sentence = "These credentials do not match our records.";
    for (const { status, body } of replies) {
      expect(status).toBe(422);
      expect({ ...body, request_id: "" }).toEqual({
        message: sentence,
        code: "validation_failed",
        errors: { email: [sentence] },
        request_id: "",
      });
    }
  });
});

test("staff logout ends only its own session, from the next request on", async () => {
  const user = aStaffUser();
  await office.table.transact(addStaff(user));
  const [one, other] = [await logIn(user.email), await logIn(user.email)];
  const { status } = await office.asking(one.body.data.token)("POST", "/admin/auth/logout");
  expect(status).toBe(204);
  expect(await statusOf(one.body.data.token)).toBe(401);
  expect(await statusOf(other.body.data.token)).toBe(200);
});

describe("a staff user's own profile", () => {
  const patch = ({ ask }: StaffClient, body: object, headers = {}) =>
    ask<{ data: StaffProfile } & Problem>("PATCH", "/admin/auth/profile", body, headers);

  test("accepts a new name only with an up-to-date If-Match", async () => {
    const me = await office.colleague("analyst");
    const { body, headers } = await patch(me, { name: "Asha Rao" }, { "if-match": '"v1"' });
    expect(body.data).toMatchObject({ name: "Asha Rao", role: "analyst", version: 2 });
    expect(headers.get("etag")).toBe('"v2"');
    const late = await patch(me, { name: "Asha" }, { "if-match": '"v1"' });
    expect([late.status, late.body.code]).toEqual([412, "version_mismatch"]);
  });

  test.each([
    [{ password: newPassword }, "current_password"],
    [{ password: newPassword, current_password: "not it" }, "current_password"],
    [{ email: "elsewhere@example.com" }, "current_password"],
    [{ password: "too short", current_password: aPassword }, "password"],
    [
      { password: newPassword, password_confirmation: "x", current_password: aPassword },
      "password",
    ],
    [{ role: "owner" }, "role"],
    [{ status: "active" }, "status"],
  ])("refuses the change %j", async (body, member) => {
    const me = await office.colleague("analyst");
    const reply = await patch(me, body);
    expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, [member]]);
    expect(await me.stored()).toMatchObject({ version: 1 });
  });

  test("accepts a new password, which ends every other session", async () => {
    const me = await office.colleague("order_desk");
    const { email } = await me.stored();
    const other = (await logIn(email)).body.data.token;
    const body = { password: newPassword, current_password: aPassword };
    expect((await patch(me, body)).status).toBe(200);
    expect([await statusOf(me.token), await statusOf(other)]).toEqual([200, 401]);
    expect([(await logIn(email)).status, (await logIn(email, newPassword)).status]).toEqual([
      422, 200,
    ]);
    await office.inbox.waitFor(email, ({ subject }) => subject.includes("was changed"));
  });

  describe("has an email that", () => {
    async function asked() {
      const me = await office.colleague("sales");
      const before = (await me.stored()).email;
      const email = freshEmail();
      const { body } = await patch(me, { email, current_password: aPassword });
      return { me, before, email, body };
    }

    test("changes only when the mailed link is opened, which works once", async () => {
      const { me, before, email, body } = await asked();
      expect(body.data).toMatchObject({ email: before, pending_email: email });
      expect([(await logIn(before)).status, (await logIn(email)).status]).toEqual([200, 422]);

      const token = await office.mailedToken(email, "verify-email");
      expect(await office.inbox.mailsTo(before)).toEqual([]);
      const uses = await Promise.all([
        post("verify-email", { token }),
        post("verify-email", { token }),
      ]);
      expect(tally(uses)).toEqual({ "200": 1, "422 validation_failed": 1 });
      expect([(await logIn(before)).status, (await logIn(email)).status]).toEqual([422, 200]);
      expect(await me.stored()).toMatchObject({ email, pending_email: null });
      expect(await statusOf(me.token)).toBe(200);
      await office.inbox.waitFor(before, ({ subject }) => subject.includes("was changed"));
    });

    test("cannot become the email of another user, not even when the link is opened", async () => {
      const { me, email } = await asked();
      const token = await office.mailedToken(email, "verify-email");
      const owner = aStaffUser({ email });
      await office.table.transact(addStaff(owner));
      const late = await post("verify-email", { token });
      expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([422, ["token"]]);
      const taken = await patch(await office.colleague("sales"), {
        email,
        current_password: aPassword,
      });
      expect([taken.status, Object.keys(taken.body.errors ?? {})]).toEqual([422, ["email"]]);
      expect((await me.stored()).email).not.toBe(email);
    });

    test.each([
      ["the current email is sent again", (before: string) => ({ email: before })],
      ["another email is requested", () => ({ email: freshEmail(), current_password: aPassword })],
      ["the password is changed", () => ({ password: newPassword, current_password: aPassword })],
    ])("cannot be changed by an earlier link once %s", async (_what, change) => {
      const { me, before, email } = await asked();
      const token = await office.mailedToken(email, "verify-email");
      expect((await patch(me, change(before))).status).toBe(200);
      expect((await post("verify-email", { token })).status).toBe(422);
      expect((await me.stored()).email).toBe(before);
    });
  });
});

describe("a staff password reset by mailed link", () => {
  const reset = (token: string, email: string, password = newPassword) =>
    post("reset-password", { token, email, password });

  test("returns the same response whether or not the user exists", async () => {
    const user = aStaffUser();
    const disabled = aStaffUser({ status: "disabled" });
    for (const each of [user, disabled]) await office.table.transact(addStaff(each));
    const replies = await Promise.all(
      [user.email, disabled.email, freshEmail()].map((email) => post("forgot-password", { email })),
    );
    for (const reply of replies)
      expect([reply.status, reply.body]).toEqual([200, replies[0]?.body]);
    await office.mailedToken(user.email, "reset-password");
    expect(await office.inbox.mailsTo(disabled.email)).toEqual([]);
  });

  test("succeeds once with the mailed link and ends every session", async () => {
    const me = await office.colleague("sales");
    const { email } = await me.stored();
    const before = new Date();
    await post("forgot-password", { email });
    const token = await office.mailedToken(email, "reset-password");
    const proof = await office.table.get(Proofs, { token_hash: hashOf(token) });
    expectAfter(proof?.expires_at, before, 3_600_000);

    expect((await reset(token, email, "too short")).status).toBe(422);
    expect((await reset(token, freshEmail())).status).toBe(422);
    const uses = await Promise.all([reset(token, email), reset(token, email)]);
    expect(tally(uses)).toEqual({ "200": 1, "422 validation_failed": 1 });
    expect(await statusOf(me.token)).toBe(401);
    expect([(await logIn(email)).status, (await logIn(email, newPassword)).status]).toEqual([
      422, 200,
    ]);
  });

  test("cannot be completed at the customers' endpoint, which refuses the staff link", async () => {
    const me = await office.colleague("sales");
    const { email } = await me.stored();
    await post("forgot-password", { email });
    const token = await office.mailedToken(email, "reset-password");
    const asCustomer = await office.asking()("POST", "/auth/reset-password", {
      token,
      email,
      password: newPassword,
    });
    expect(asCustomer.status).toBe(422);
    expect((await reset(token, email)).status).toBe(200);
  });

  test("is refused if the user was disabled meanwhile", async () => {
    const me = await office.colleague("sales");
    const owner = await office.colleague("owner");
    const { email } = await me.stored();
    await post("forgot-password", { email });
    const token = await office.mailedToken(email, "reset-password");
    await owner.ask("PATCH", `/admin/users/${me.id}`, { status: "disabled" });
    expect((await reset(token, email)).status).toBe(422);
  });
});
