import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resealSecondFactors } from "#infra/cli/reseal-settings.ts";
import { resetSecondFactorByEmail } from "#infra/cli/reset-second-factor.ts";
import { openKeys } from "#shared/runtime/key-rings.ts";
import type { Activity } from "#shared/domain/staff/activity.ts";
import { Activities } from "#shared/storage/staff/activity.ts";
import { Roles } from "#shared/storage/staff/roles.ts";
import { SecondFactors } from "#shared/storage/staff/second-factors.ts";
import { put } from "#shared/storage/writes.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aPassword } from "#test/support/people/members.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type TotpSetup, codeAt, enrolSecondFactor } from "#test/support/people/staff.ts";
import { type Data, tally } from "#test/support/shop/shopping.ts";
import type { StaffClient } from "#test/support/people/people.ts";

let office: BackOffice;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["mail"] });
});
afterAll(() => office.stop());

interface Enrolled {
  readonly me: StaffClient;
  readonly email: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function enrolled(role: Parameters<BackOffice["colleague"]>[0] = "sales"): Promise<Enrolled> {
  const me = await office.colleague(role);
  const { secret, recoveryCodes } = await enrolSecondFactor(office.table, me);
  return { me, secret, recoveryCodes, email: (await me.stored()).email };
}

const logIn = (email: string, code?: string, password = aPassword) =>
  office.asking()<Data<{ token: string }> & Problem>("POST", "/admin/auth/login", {
    email,
    password,
    ...(code !== undefined && { code }),
  });

async function logOf({ id }: { id: string }): Promise<Activity[]> {
  const { records } = await office.table.page(Activities, {
    index: "gsi1",
    partition: `ACTIVITY#staff#${id}`,
  });
  return records;
}
const actionsOf = async (who: { id: string }) => (await logOf(who)).map(({ action }) => action);

describe("a second factor", () => {
  test("is set up with a standard TOTP secret, which is stored encrypted and must be confirmed with a code", async () => {
    const me = await office.colleague("sales");
    const { body } = await me.post<Data<TotpSetup>>("/admin/auth/totp", { password: aPassword });
    const { email } = await me.stored();
    const url = new URL(body.data.otpauth_url);
    expect([url.protocol, url.host]).toEqual(["otpauth:", "totp"]);
    expect(decodeURIComponent(url.pathname)).toContain(email);
    expect(url.searchParams.get("secret")).toBe(body.data.secret);
    const stored = await office.table.get(SecondFactors, { staff_id: me.id });
    expect(JSON.stringify(stored)).not.toContain(body.data.secret);

    const wrong = await me.post<Problem>("/admin/auth/totp/confirm", { code: "000000" });
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ["code"]]);
    expect((await logIn(email)).status).toBe(200);

    const code = codeAt(body.data.secret);
    const right = await me.post<Data<{ recovery_codes: string[] }>>("/admin/auth/totp/confirm", {
      code,
    });
    expect(new Set(right.body.data.recovery_codes).size).toBe(10);
    const kept = JSON.stringify(await office.table.get(SecondFactors, { staff_id: me.id }));
    for (const recovery of right.body.data.recovery_codes) expect(kept).not.toContain(recovery);
    expect((await me.stored()).second_factor_at).not.toBeNull();
    expect((await me.post<Problem>("/admin/auth/totp", { password: aPassword })).status).toBe(409);
    expect((await logIn(email, code)).status).toBe(422);
  });

  test("is required after a correct password: a login without a code returns 401 and no token", async () => {
    const { email } = await enrolled();
    const wrong = await logIn(email, undefined, "not the password");
    expect([wrong.status, wrong.body.code]).toEqual([422, "validation_failed"]);
    const client = office.asking();
    const statuses = [];
    for (let call = 1; call <= 2; call++) {
      const reply = await client<Problem>("POST", "/admin/auth/login", {
        email,
        password: aPassword,
      });
      statuses.push([reply.status, reply.body.code, reply.text.includes("token")]);
    }
    const asked = [401, "second_factor_required", false];
    expect(statuses).toEqual([asked, asked]);
  });

  test("accepts each code once, even in four concurrent logins", async () => {
    const somebody = await enrolled();
    const code = codeAt(somebody.secret);
    const replies = await Promise.all(Array.from({ length: 4 }, () => logIn(somebody.email, code)));
    expect(tally(replies)).toEqual({ "200": 1, "422 validation_failed": 3 });
    const earlier = await logIn(somebody.email, codeAt(somebody.secret, -1));
    expect(earlier.status).toBe(422);
  });

  test("accepts each recovery code once", async () => {
    const { email, recoveryCodes } = await enrolled();
    const [first = "", second = ""] = recoveryCodes;
    const replies = await Promise.all(Array.from({ length: 4 }, () => logIn(email, first)));
    expect(tally(replies)).toEqual({ "200": 1, "422 validation_failed": 3 });
    expect((await logIn(email, second.toUpperCase().replaceAll("-", " "))).status).toBe(200);
  });

  test("cannot be set up with a session alone, but only with the password", async () => {
    const me = await office.colleague("sales");
    for (const [body, member] of [
      [{ password: "not the password" }, "password"],
      [{}, "password"],
    ] as const) {
      const { status, body: problem } = await me.post<Problem>("/admin/auth/totp", body);
      expect([status, Object.keys(problem.errors ?? {})]).toEqual([422, [member]]);
    }
    expect(await office.table.get(SecondFactors, { staff_id: me.id })).toBeUndefined();
  });

  test("is locked by ten wrong codes, also concurrent ones and in both of its uses; the user is mailed, and a reset ends the lock", async () => {
    const { me, email, secret, recoveryCodes } = await enrolled();
    const remove = () =>
      me.ask<Problem>("DELETE", "/admin/auth/totp", { password: aPassword, code: "000000" });
    expect((await remove()).status).toBe(422);
    const burst = await Promise.all(Array.from({ length: 14 }, () => logIn(email, "000000")));
    const statuses = tally(burst);
    expect(statuses["422 validation_failed"]).toBe(9);
    expect(statuses["429 too_many_requests"]).toBe(5);

    for (const code of [codeAt(secret), recoveryCodes[0]]) {
      const refused = await logIn(email, code);
      expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    }
    expect((await remove()).status).toBe(429);
    const mail = await office.inbox.waitFor(email, ({ body }) => body.text.includes("ten wrong"));
    expect(mail.body.text).toContain("/forgot-password");
    expect(
      (await actionsOf(me)).filter((action) => action === "staff.second_factor_locked"),
    ).toEqual(["staff.second_factor_locked"]);

    const owner = await office.colleague("owner");
    expect((await owner.delete(`/admin/users/${me.id}/totp`)).status).toBe(204);
    expect((await logIn(email)).status).toBe(200);
  });

  test("is locked for 15 minutes; a right code before the tenth wrong one starts the count again", async () => {
    const { me, email, secret } = await enrolled();
    const wrong = async (times: number) => {
      for (let call = 1; call <= times; call++)
        expect((await logIn(email, "000000")).status).toBe(422);
    };
    await wrong(9);
    expect((await logIn(email, codeAt(secret))).status).toBe(200);
    await wrong(9);
    expect((await logIn(email, "000000")).status).toBe(422);
    const stored = await office.table.get(SecondFactors, { staff_id: me.id });
    const lockedMs = Date.parse(stored?.locked_until ?? "") - Date.now();
    expect(lockedMs).toBeGreaterThan(14 * 60_000);
    expect(lockedMs).toBeLessThanOrEqual(15 * 60_000);
    if (!stored) throw new Error("The second factor is gone");
    const locked_until = new Date().toISOString();
    await office.table.write(put(SecondFactors, { ...stored, last_step: 0, locked_until }));
    expect((await logIn(email, codeAt(secret))).status).toBe(200);
  });

  test("can be removed only with both password and code", async () => {
    const somebody = await enrolled();
    const { me, email, secret } = somebody;
    const remove = (body: object) => me.ask<Problem>("DELETE", "/admin/auth/totp", body);
    const code = codeAt(secret);
    expect((await remove({ password: "not the password", code })).status).toBe(422);
    expect((await remove({ password: aPassword, code: "000000" })).status).toBe(422);
    expect((await remove({ password: aPassword, code })).status).toBe(204);
    expect((await logIn(email)).status).toBe(200);
    expect((await me.post("/admin/auth/totp", { password: aPassword })).status).toBe(200);
  });

  test("can be reset only by staff who have all permissions of the user's role", async () => {
    const [seller, boss] = [await enrolled("sales"), await enrolled("owner")];
    const [manager, desk] = [await office.colleague("manager"), await office.colleague("sales")];
    const reset = (by: StaffClient, { me }: Enrolled) =>
      by.delete<Problem>(`/admin/users/${me.id}/totp`);
    expect((await reset(desk, seller)).status).toBe(403);
    expect((await reset(manager, boss)).status).toBe(403);
    expect((await reset(boss.me, boss)).status).toBe(403);
    const ofSeller = `/admin/users/${seller.me.id}/totp`;
    expect((await manager.delete(ofSeller, { "if-match": '"v99"' })).status).toBe(412);
    expect((await reset(manager, seller)).status).toBe(204);
    expect((await reset(manager, seller)).status).toBe(204);
    expect((await logIn(seller.email)).status).toBe(200);
    expect(await actionsOf(seller.me)).toContain("staff.reset_second_factor");
    expect((await manager.delete<Problem>("/admin/users/stf_none/totp")).status).toBe(404);

    await resetSecondFactorByEmail(office.table, boss.email, new Date());
    expect((await logIn(boss.email)).status).toBe(200);
    await expect(
      resetSecondFactorByEmail(office.table, "nobody@example.com", new Date()),
    ).rejects.toThrow("No staff user");
  });

  test("is encrypted again by `resealSecondFactors` after a key rotation, and a second call changes nothing", async () => {
    const { me } = await enrolled();
    const ring = JSON.parse(office.stack.environment.SETTINGS_KEYS) as { current: object };
    const rotated = openKeys({
      keys: JSON.stringify({
        current: { kid: "next", secret: "n".repeat(64) },
        previous: ring.current,
      }),
      secret: undefined,
    });
    expect(await resealSecondFactors(office.table, rotated)).toBeGreaterThan(0);
    expect(await resealSecondFactors(office.table, rotated)).toBe(0);
    const factor = await office.table.get(SecondFactors, { staff_id: me.id });
    expect(factor?.sealed.kid).toBe("next");
    const back = openKeys({
      keys: JSON.stringify({
        current: ring.current,
        previous: { kid: "next", secret: "n".repeat(64) },
      }),
      secret: undefined,
    });
    await resealSecondFactors(office.table, back);
  });
});

describe("a role that requires a second factor", () => {
  beforeEach(async () => {
    const role = await office.table.get(Roles, { code: "analyst" });
    if (role) await office.table.write(put(Roles, { ...role, requires_second_factor: true }));
  });

  test("lets a user without a second factor do nothing except set one up", async () => {
    const me = await office.colleague("analyst");
    for (const path of ["/admin/dashboard", "/admin/products", "/admin/sessions", "/admin/roles"]) {
      const { status, body } = await me.get<Problem>(path);
      expect([path, status, body.code]).toEqual([path, 403, "second_factor_enrolment_required"]);
    }
    expect((await me.get("/admin/auth/me")).status).toBe(200);
    const { body } = await me.post<Data<TotpSetup>>("/admin/auth/totp", { password: aPassword });
    const code = codeAt(body.data.secret);
    expect((await me.post("/admin/auth/totp/confirm", { code })).status).toBe(200);
    expect((await me.get("/admin/dashboard")).status).toBe(200);
    expect((await me.ask("POST", "/admin/auth/logout")).status).toBe(204);
  });

  test("is configured by PUT, and a PUT without `requires_second_factor` ends the requirement", async () => {
    const owner = await office.colleague("owner");
    const role = { name: "Sales", permissions: ["leads"], requires_second_factor: true };
    const saved = await owner.put<Data<object>>("/admin/roles/sales", role);
    expect(saved.body.data).toMatchObject({ requires_second_factor: true });
    const seller = await office.colleague("sales");
    expect((await seller.get("/admin/leads")).status).toBe(403);
    const { requires_second_factor: _, ...without } = role;
    await owner.put("/admin/roles/sales", without);
    expect((await seller.get("/admin/leads")).status).toBe(200);
  });
});

describe("the activity log of sign-ins", () => {
  test("records successful sign-ins, failed sign-ins and lockouts with their IP address", async () => {
    const me = await office.colleague("sales");
    const { email } = await me.stored();
    await logIn(email);
    await logIn(email, undefined, "not the password");
    const records = await logOf(me);
    expect(records.map(({ action }) => action)).toEqual(["staff.sign_in", "staff.sign_in_refused"]);
    for (const { changes } of records) {
      expect(changes.map(({ path }) => path)).toEqual(expect.arrayContaining(["address", "agent"]));
      expect(JSON.stringify(changes)).not.toContain("not the password");
    }
    const stranger = office.asking();
    const victim = await inOneWindow(60, async () => {
      const other = await office.colleague("sales");
      const body = { email: (await other.stored()).email, password: "not the password" };
      const headers = { "x-forwarded-for": `10.9.8.${randomInt(1, 255)}` };
      for (let call = 1; call <= 5; call++) {
        await stranger("POST", "/admin/auth/login", body, headers);
      }
      return other;
    });
    const refused = Array.from({ length: 5 }, () => "staff.sign_in_refused");
    expect((await actionsOf(victim)).toSorted()).toEqual(["staff.sign_in_locked", ...refused]);
  });
});
