import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StaffProfile } from "#shared/domain/staff/staff.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aPassword } from "#test/support/people/members.ts";
import type { Problem } from "#test/support/http/answers.ts";
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

  test("returns the error of a wrong password for an invited user", async () => {
    const user = aStaffUser({ password_hash: null });
    await office.table.transact(addStaff(user));
    const { status, body } = await logIn(user.email);
    const sentence = "These credentials do not match our records.";
    expect([status, body.errors]).toEqual([422, { email: [sentence] }]);
  });
});

describe("a staff user's own profile", () => {
  const patch = ({ ask }: StaffClient, body: object, headers = {}) =>
    ask<{ data: StaffProfile } & Problem>("PATCH", "/admin/auth/profile", body, headers);

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

  describe("has an email that", () => {
    async function asked() {
      const me = await office.colleague("sales");
      const before = (await me.stored()).email;
      const email = freshEmail();
      const { body } = await patch(me, { email, current_password: aPassword });
      return { me, before, email, body };
    }

    test("is pending until the mailed link is opened, and the old address is not notified before", async () => {
      const { before, email, body } = await asked();
      expect(body.data).toMatchObject({ email: before, pending_email: email });
      await office.mailedToken(email, "verify-email");
      expect(await office.inbox.mailsTo(before)).toEqual([]);
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
