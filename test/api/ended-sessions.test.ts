import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resetSecondFactorByEmail } from "#infra/cli/reset-second-factor.ts";
import { type BackOffice, openBackOffice } from "#test/support/back-office/back-office.ts";
import { aPassword } from "#test/support/people/members.ts";
import type { StaffClient } from "#test/support/people/people.ts";
import { codeAt, enrolSecondFactor } from "#test/support/people/staff.ts";
import type { Data } from "#test/support/shop/shopping.ts";

let office: BackOffice;
let owner: StaffClient;
beforeAll(async () => {
  office = await openBackOffice({ effects: ["mail"] });
  owner = await office.colleague("owner");
});
afterAll(() => office.stop());

/** Somebody with two sessions: the one that acts, and another one. */
interface Somebody {
  readonly id: string;
  readonly email: string;
  /** Calls the service in the session that acts. */
  call(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body: object,
  ): Promise<{ status: number }>;
  /** Whether the acting session and the other one are alive: their status at a guarded route. */
  sessions(): Promise<readonly [acting: number, other: number]>;
}

const done = async (reply: Promise<{ status: number }>) => {
  expect([200, 204]).toContain((await reply).status);
};

async function aColleague(role: "sales" | "analyst", code?: () => string) {
  const me = await office.colleague(role);
  const { email } = await me.stored();
  return { me, email, code };
}

async function withTwoSessions({ me, email, code }: Awaited<ReturnType<typeof aColleague>>) {
  const body = { email, password: aPassword, ...(code && { code: code() }) };
  const login = await office.asking()<Data<{ token: string }>>("POST", "/admin/auth/login", body);
  const other = office.asking(login.body.data.token);
  const somebody: Somebody = {
    id: me.id,
    email,
    call: (method, path, sent) => me.ask(method, path, sent),
    sessions: async () => {
      const path = "/admin/sessions";
      return [(await me.get(path)).status, (await other("GET", path)).status];
    },
  };
  return { me, somebody };
}

/** A colleague whose second factor is enrolled before the other session begins. */
async function anEnrolled() {
  const who = await aColleague("sales");
  const { secret } = await enrolSecondFactor(office.table, who.me);
  // The login uses up the code of this step.
  const code = () => codeAt(secret);
  return { ...(await withTwoSessions({ ...who, code })), next: () => codeAt(secret, 1) };
}

const [alive, ended, forbidden] = [200, 401, 403];

const ofStaff: Record<string, () => Promise<[Somebody, expected: readonly [number, number]]>> = {
  "enrolling a second factor ends the others": async () => {
    const { me, somebody } = await withTwoSessions(await aColleague("sales"));
    await enrolSecondFactor(office.table, me);
    return [somebody, [alive, ended]];
  },
  "removing one's own second factor ends the others": async () => {
    const { somebody, next } = await anEnrolled();
    const body = { password: aPassword, code: next() };
    await done(somebody.call("DELETE", "/admin/auth/totp", body));
    return [somebody, [alive, ended]];
  },
  "a reset of the second factor by a colleague ends all": async () => {
    const { somebody } = await anEnrolled();
    await done(owner.delete(`/admin/users/${somebody.id}/totp`));
    return [somebody, [ended, ended]];
  },
  "a reset of the second factor by an operator ends all": async () => {
    const { somebody } = await anEnrolled();
    await resetSecondFactorByEmail(office.table, somebody.email, new Date());
    return [somebody, [ended, ended]];
  },
  "another role ends none": async () => {
    const { somebody } = await withTwoSessions(await aColleague("sales"));
    await done(owner.patch(`/admin/users/${somebody.id}`, { role: "order_desk" }));
    return [somebody, [alive, alive]];
  },
  "a requirement ends none, but lets them only enrol; enrolling ends the one that waits":
    async () => {
      const { me, somebody } = await withTwoSessions(await aColleague("analyst"));
      const role = {
        name: "Analyst",
        permissions: ["analytics.view"],
        requires_second_factor: true,
      };
      await done(owner.put("/admin/roles/analyst", role));
      expect(await somebody.sessions()).toEqual([forbidden, forbidden]);
      await enrolSecondFactor(office.table, me);
      return [somebody, [alive, ended]];
    },
};

describe("of staff's sessions,", () => {
  test.each(Object.entries(ofStaff))("%s", async (_, event) => {
    const [somebody, expected] = await event();
    expect(await somebody.sessions()).toEqual(expected);
  });
});

test.each(["enrolled", "removed", "reset"] as const)(
  "the user is mailed when a second factor is %s",
  async (change) => {
    const { me, email } = await aColleague("sales");
    const { secret } = await enrolSecondFactor(office.table, me);
    const code = codeAt(secret);
    if (change === "removed") {
      await done(me.ask("DELETE", "/admin/auth/totp", { password: aPassword, code }));
    }
    if (change === "reset") await done(owner.delete(`/admin/users/${me.id}/totp`));
    const words = { enrolled: "was added", removed: "was removed", reset: "by somebody else" }[
      change
    ];
    const mail = await office.inbox.waitFor(email, ({ body }) => body.text.includes(words));
    expect(mail.body.text).toContain("/forgot-password");
  },
);
