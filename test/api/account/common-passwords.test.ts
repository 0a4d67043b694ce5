import { describe, expect, test } from "vitest";
import { clientOf } from "#test/support/http/client.ts";
import { aPassword, aMember } from "#test/support/people/members.ts";
import { asking } from "#test/support/people/people.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, inbox, staffAs } = await useShop({ effects: ["mail"] });

const colleague = (role: "owner" | "sales") => staffAs(role);

/** The token in the password reset mail to an address. */
async function resetToken(email: string): Promise<string | undefined> {
  const link = /\/reset-password\?token=([\w-]{43})/;
  const mail = await inbox.waitFor(email, ({ body }) => link.test(body.text));
  return link.exec(mail.body.text)?.[1];
}

const sentence =
  "This password is on lists of common and leaked passwords. Please choose another one.";
const good = "no list has this one yet";
type SetPassword = (password: string) => Promise<{ status: number; body: Problem }>;

/** The endpoints that set a customer's password. Each function prepares an account, and returns a call that sets it. */
const customerWays: Record<string, () => Promise<SetPassword>> = {
  async "registration of a customer"() {
    const person = aPerson();
    return (password) =>
      clientOf(baseUrl).post("/auth/register", { name: "Asha Rao", ...person, password });
  },
  async "reset of a customer"() {
    const { email } = await aMember(baseUrl);
    await clientOf(baseUrl).post("/auth/forgot-password", { email });
    const token = await resetToken(email);
    return (password) => clientOf(baseUrl).post("/auth/reset-password", { token, email, password });
  },
  async "profile of a customer"() {
    const { client, headers } = await aMember(baseUrl);
    return (password) => {
      const body = { name: "Asha Rao", phone: null, password, current_password: aPassword };
      return client.put("/account/profile", body, headers);
    };
  },
};
const staffWays: Record<string, () => Promise<SetPassword>> = {
  async "invitation of a staff user"() {
    const owner = await colleague("owner");
    const { email } = aPerson();
    await owner.post("/admin/users", { email, name: "Meera Iyer", role: "sales" });
    const token = await resetToken(email);
    return (password) =>
      asking(baseUrl)("POST", "/admin/auth/reset-password", { token, email, password });
  },
  async "profile of a staff user"() {
    const me = await colleague("sales");
    return (password) => me.patch("/admin/auth/profile", { password, current_password: aPassword });
  },
};

describe.each([
  ["Password1", customerWays],
  ["Password123!", customerWays],
  ["aaaaaaaaaaaaaa", customerWays],
  ["Password2026!?", staffWays],
  ["1Q2w3E4r5T6y", staffWays],
])("the common password %s", (common, ways) => {
  test.each(Object.entries(ways))(
    "is refused by the %s, which accepts a password that is not common",
    async (_way, make) => {
      const set = await make();
      const refused = await set(common);
      expect([refused.status, refused.body.errors]).toEqual([422, { password: [sentence] }]);
      expect(Math.floor((await set(good)).status / 100)).toBe(2);
    },
  );
});

test("a password that equals the account's email, or the part before the at sign, is refused", async () => {
  const { email } = aPerson();
  const { client, headers, email: own } = await aMember(baseUrl);
  const me = await colleague("sales");
  const staffEmail = (await me.stored()).email;
  for (const [mine, staffs] of [
    [own, staffEmail],
    [own.split("@")[0], staffEmail.toUpperCase()],
  ]) {
    const body = { name: "Asha Rao", phone: null, password: mine, current_password: aPassword };
    const refused = await client.put<Problem>("/account/profile", body, headers);
    expect([refused.status, refused.body.errors]).toEqual([422, { password: [sentence] }]);
    const change = { password: staffs, current_password: aPassword };
    const staff = await me.patch<Problem>("/admin/auth/profile", change);
    expect([staff.status, staff.body.errors]).toEqual([422, { password: [sentence] }]);
  }
  const person = { name: "Asha Rao", email, password: email };
  expect((await clientOf(baseUrl).post("/auth/register", person)).status).toBe(422);
});
