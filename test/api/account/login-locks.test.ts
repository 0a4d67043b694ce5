import { describe, expect, test } from "vitest";
import type { Guard } from "#shared/domain/request/identity.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { callerOf } from "#shared/auth/rate-limit.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { isKnownAddress, knownAddresses } from "#shared/storage/customer/known-addresses.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { put } from "#shared/storage/writes.ts";
import { type Client, type Reply, clientOf } from "#test/support/http/client.ts";
import { aPassword, aMember } from "#test/support/people/members.ts";
import { inboxOf } from "#test/support/emulators/inbox.ts";
import { tableOf } from "#test/support/shop/plant.ts";
import { inOneWindow } from "#test/support/stack/clock.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { aPerson } from "#test/support/shop/shopping.ts";
import { aStaffUser, addStaff } from "#test/support/people/staff.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop({ effects: ["mail"] });

const table = tableOf(environment);
const inbox = inboxOf(environment.SES_ENDPOINT);
const client = () => clientOf(baseUrl);

/** The login of customers, or the login of staff. */
interface Door {
  readonly prefix: string;
  /** A new account. */
  account(): Promise<{ id: string; email: string }>;
}

const doors: Readonly<Record<Guard, Door>> = {
  customer: { prefix: "/auth", account: () => aMember(baseUrl) },
  staff: {
    prefix: "/admin/auth",
    async account() {
      const user = aStaffUser({ role: "sales" });
      await table.transact(addStaff(user));
      return user;
    },
  },
};

/** The token in the newest password reset mail to an address. */
async function resetToken(email: string): Promise<string> {
  const link = /\/reset-password\?token=([\w-]{43})/;
  await inbox.waitFor(email, ({ body }) => link.test(body.text));
  const mails = await inbox.mailsTo(email);
  return mails.flatMap(({ body }) => link.exec(body.text)?.[1] ?? []).at(-1) ?? "";
}

const newPassword = "a password that nobody else has";

function doorOf(guard: Guard) {
  const door = doors[guard];
  const logIn = (from: Client, email: string, password = aPassword): Promise<Reply<Problem>> =>
    from.post(`${door.prefix}/login`, { email, password });
  return {
    ...door,
    logIn,
    /** Sends five logins with a wrong password from each of this many IP addresses. */
    async failFrom(addresses: number, email: string) {
      for (let address = 0; address < addresses; address++) {
        const from = client();
        const tries = Array.from({ length: 5 }, () => logIn(from, email, "wrong password"));
        expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(
          Array.from({ length: 5 }, () => 422),
        );
      }
    },
    /** Adds failed logins from one IP address to the counter of the current hour. */
    async plantFailures(count: number, email: string, ip: string) {
      const rates = openRateCounters(table, { error: () => undefined });
      const { seconds } = limits.login_pair_hour;
      const window = Math.floor(Date.now() / 1000 / seconds);
      const caller = `${guard}#${email}#0#${callerOf(ip)}`;
      await rates.increment({ limit: "login_pair_hour", caller, window, seconds, by: count });
    },
  };
}

const plain = ({ status, body }: Reply<Problem>) => [status, { ...body, request_id: null }];

describe.each(["customer", "staff"] as const)("a %s login", (guard) => {
  test("may fail 5 times a minute from one IP address, while the account's owner can sign in from another address", async () => {
    const { account, logIn, failFrom } = doorOf(guard);
    const { email, statuses } = await inOneWindow(60, async () => {
      const [somebody, stranger] = [await account(), client()];
      const answers = [];
      for (let call = 1; call <= 6; call++) {
        answers.push((await logIn(stranger, somebody.email, "wrong password")).status);
      }
      answers.push((await logIn(stranger, somebody.email)).status);
      return { email: somebody.email, statuses: answers };
    });
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
    await failFrom(6, email);
    expect((await logIn(client(), email)).status).toBe(200);
  });

  test("may fail 20 times an hour from one IP address", async () => {
    const { account, logIn, plantFailures } = doorOf(guard);
    const { email, last, refused } = await inOneWindow(3_600, async () => {
      const [somebody, stranger] = [await account(), client()];
      await plantFailures(19, somebody.email, stranger.ip);
      return {
        email: somebody.email,
        last: await logIn(stranger, somebody.email, "wrong password"),
        refused: await logIn(stranger, somebody.email),
      };
    });
    expect([last.status, refused.status]).toEqual([422, 429]);
    expect(Number(refused.headers.get("x-ratelimit-limit"))).toBe(20);
    expect((await logIn(client(), email)).status).toBe(200);
  });

  test(
    "is accepted only from previously used IP addresses after 100 failures from any addresses",
    { tags: "slow" },
    async () => {
      const { account, logIn, failFrom } = doorOf(guard);
      const { stranger, former, ofUnknown, own } = await inOneWindow(3_600, async () => {
        const [{ id, email }, owner, formerly] = [await account(), client(), client()];
        expect((await logIn(owner, email)).status).toBe(200);
        const known = { guard, subject: id, address: callerOf(formerly.ip) };
        const longAgo = new Date(Date.now() - 90 * 86_400_000 - 1_000).toISOString();
        await table.write(put(knownAddresses(guard), { ...known, signed_in_at: longAgo }));
        expect(await isKnownAddress(table, known, new Date())).toBe(false);

        const unknown = aPerson().email;
        await Promise.all([failFrom(20, email), failFrom(20, unknown)]);
        return {
          stranger: await logIn(client(), email),
          former: await logIn(formerly, email),
          ofUnknown: await logIn(client(), unknown),
          own: [await logIn(owner, email), await logIn(owner, email, "wrong password")],
        };
      });
      expect([stranger.status, former.status]).toEqual([429, 429]);
      expect(Number(stranger.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(plain(ofUnknown)).toEqual(plain(stranger));
      expect(own.map(({ status }) => status)).toEqual([200, 422]);
    },
  );

  test("is unlocked for every locked IP address when the password is reset", async () => {
    const { account, logIn, plantFailures, prefix } = doorOf(guard);
    const { email, owner, elsewhere, locked } = await inOneWindow(60, async () => {
      const [somebody, one, other] = [await account(), client(), client()];
      await plantFailures(20, somebody.email, other.ip);
      for (let call = 1; call <= 6; call++) await logIn(one, somebody.email, "wrong password");
      const answers = [await logIn(one, somebody.email), await logIn(other, somebody.email)];
      return { email: somebody.email, owner: one, elsewhere: other, locked: answers };
    });
    expect(locked.map(({ status }) => status)).toEqual([429, 429]);

    await owner.post(`${prefix}/forgot-password`, { email });
    const token = await resetToken(email);
    const reset = { token, email, password: newPassword };
    expect((await owner.post(`${prefix}/reset-password`, reset)).status).toBe(200);
    expect((await logIn(owner, email, newPassword)).status).toBe(200);
    expect((await logIn(elsewhere, email, newPassword)).status).toBe(200);
  });

  test("stays locked when the password of another account is reset", async () => {
    const { account, logIn, prefix } = doorOf(guard);
    const statuses = await inOneWindow(60, async () => {
      const [victim, own, attacker] = [await account(), await account(), client()];
      for (let call = 1; call <= 5; call++) await logIn(attacker, victim.email, "wrong password");
      await attacker.post(`${prefix}/forgot-password`, { email: own.email });
      const token = await resetToken(own.email);
      const reset = { token, email: own.email, password: newPassword };
      const done = await attacker.post(`${prefix}/reset-password`, reset);
      return [done.status, (await logIn(attacker, victim.email, "wrong password")).status];
    });
    expect(statuses).toEqual([200, 429]);
  });
});

test("requesting a change to another person's email does not use up that person's mail limit", async () => {
  const [owner, stranger] = [await aMember(baseUrl), await aMember(baseUrl)];
  for (let call = 1; call <= 3; call++) {
    const body = {
      name: "Stranger",
      phone: null,
      email: owner.email,
      current_password: aPassword,
    };
    const reply = await stranger.client.put("/account/profile", body, stranger.headers);
    expect(reply.status).toBe(422);
  }
  const resend = `${apiPrefix}/auth/verify-email/resend`;
  const reply = await owner.client.send("POST", resend, { headers: owner.headers });
  expect(reply.status).toBe(200);
});
