import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerOf } from "#shared/auth/rate-limit.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { Guard } from "#shared/domain/request/identity.ts";
import { limits } from "#shared/domain/request/rate-limits.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { isKnownAddress, knownAddresses } from "#shared/storage/customer/known-addresses.ts";
import { Proofs } from "#shared/storage/customer/proofs.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { Staff } from "#shared/storage/staff/staff.ts";
import { put } from "#shared/storage/writes.ts";
import { sequentialSteps } from "#test/support/emulators/dynamodb-calls.ts";
import type { Problem } from "#test/support/http/answers.ts";
import { type Reply, clientOf } from "#test/support/http/client.ts";
import { aPassword } from "#test/support/people/members.ts";
import { type Ask, asking, signedIn } from "#test/support/people/people.ts";
import { type Data, aPerson, tally } from "#test/support/shop/shopping.ts";
import { expectAfter, inOneWindow } from "#test/support/stack/clock.ts";
import { useShop } from "#test/support/stack/shop.ts";
import { type ProxiedService, startProxiedService } from "#test/support/stack/table.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";

const { baseUrl, environment, world, inbox, staffAs } = await useShop({ effects: ["mail"] });

const { table } = world;
const client = () => clientOf(baseUrl);
const newPassword = "a password that nobody else has";

/** What differs between the accounts of customers and those of staff. */
interface AccountKind {
  readonly guard: Guard;
  readonly prefix: "/auth" | "/admin/auth";
  find(id: string): Promise<{ email: string; session_epoch: number } | undefined>;
  /** Changes the caller's own profile. */
  change(ask: Ask, body: object, headers?: Record<string, string>): Promise<Reply<Problem>>;
  /** How staff disable an account, or accept it again. */
  disable(id: string, disabled: boolean): { path: string; body: object };
  /** Whether a new email counts before its owner has opened the mailed link. */
  readonly newEmailCounts: "at once" | "by its link";
}

const customers: AccountKind = {
  guard: "customer",
  prefix: "/auth",
  find: (id) => table.get(Customers, { id }),
  change: (ask, body, headers) =>
    ask("PUT", "/account/profile", { name: "Asha Rao", phone: null, ...body }, headers),
  disable: (id, disabled) => ({ path: `/admin/customers/${id}`, body: { disabled } }),
  newEmailCounts: "at once",
};
const staff: AccountKind = {
  guard: "staff",
  prefix: "/admin/auth",
  find: (id) => table.get(Staff, { id }),
  change: (ask, body, headers) => ask("PATCH", "/admin/auth/profile", body, headers),
  disable: (id, disabled) => ({
    path: `/admin/users/${id}`,
    body: { status: disabled ? "disabled" : "active" },
  }),
  newEmailCounts: "by its link",
};

/** A new account with one session. */
interface Account {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** Sends a call with the session's token. */
  readonly ask: Ask;
}

async function anAccount({ guard, find }: AccountKind): Promise<Account> {
  const { claims, token } = await signedIn(world, guard, { role: "sales" });
  const id = claims.subject;
  const email = (await find(id))?.email ?? "";
  return { id, email, token, ask: asking(baseUrl, token) };
}

type LoginReply = Reply<Data<{ token: string }> & Problem>;

const logIn = (
  { prefix }: AccountKind,
  email: string,
  password = aPassword,
  from = client(),
): Promise<LoginReply> => from.post(`${prefix}/login`, { email, password });

const statusOf = async ({ prefix }: AccountKind, token: string) =>
  (await asking(baseUrl, token)("GET", `${prefix}/me`)).status;

const refusedMembers = ({ status, body }: Reply<Problem>) => [
  status,
  Object.keys(body.errors ?? {}),
];
const plain = ({ status, body }: Reply<Problem>) => [status, { ...body, request_id: null }];

/** Staff disable the account, or accept it again. */
async function disable(kind: AccountKind, { id }: Account, disabled = true) {
  const owner = await staffAs("owner");
  const { path, body } = kind.disable(id, disabled);
  expect((await owner.patch(path, body)).status).toBe(200);
}

type Page = "reset-password" | "verify-email";

/** Waits until `count` links to the page were mailed to an address; returns all, oldest first. */
function linksTo(email: string, page: Page, count = 1): Promise<{ url: string; token: string }[]> {
  const link = new RegExp(`https?://\\S+/${page}\\?token=([\\w-]{43})`);
  return waitFor("mail", async () => {
    const mails = await inbox.mailsTo(email);
    const links = mails.flatMap(({ body }) => {
      const [url = "", token] = link.exec(body.text) ?? [];
      return token === undefined ? [] : [{ url, token }];
    });
    if (links.length < count) throw new Error(`Only ${links.length} links to ${email} arrived`);
    return links;
  });
}

async function newestToken(email: string, page: Page, count = 1): Promise<string> {
  return (await linksTo(email, page, count)).at(-1)?.token ?? "";
}

const forget = ({ prefix }: AccountKind, email: string, from = client()) =>
  from.post<Problem>(`${prefix}/forgot-password`, { email });

const reset = (
  { prefix }: AccountKind,
  { email, token, password = newPassword }: { email: string; token: string; password?: string },
  from = client(),
) => from.post<Problem>(`${prefix}/reset-password`, { token, email, password });

/** An account whose owner was mailed a link that resets the password. */
async function forgotten(kind: AccountKind) {
  const account = await anAccount(kind);
  expect((await forget(kind, account.email)).status).toBe(200);
  return { account, token: await newestToken(account.email, "reset-password") };
}

/** An account with a new email, and the token of the link that was mailed there. */
async function renamed(kind: AccountKind) {
  const [account, { email }] = [await anAccount(kind), aPerson()];
  const reply = await kind.change(account.ask, { email, current_password: aPassword });
  expect(reply.status).toBe(200);
  return { account, email, token: await newestToken(email, "verify-email") };
}

const verify = ({ prefix }: AccountKind, { ask }: Pick<Account, "ask">, token: string) =>
  ask<Problem>("POST", `${prefix}/verify-email`, { token });

async function proofOf(token: string) {
  const proof = await table.get(Proofs, { token_hash: hashOf(token) });
  if (!proof) throw new Error("The token of the mailed link is not stored");
  return proof;
}

describe.each([customers, staff])("a $guard login", (kind) => {
  const { guard, prefix } = kind;

  /** Sends five logins with a wrong password from each of this many IP addresses. */
  async function failFrom(addresses: number, email: string) {
    for (let address = 0; address < addresses; address++) {
      const from = client();
      const tries = Array.from({ length: 5 }, () => logIn(kind, email, "wrong password", from));
      expect(tally(await Promise.all(tries))).toEqual({ "422 validation_failed": 5 });
    }
  }

  /** Adds failed logins from one IP address to the counter of the current hour. */
  async function plantFailures(count: number, email: string, ip: string) {
    const rates = openRateCounters(table, { error: () => undefined });
    const { seconds } = limits.login_pair_hour;
    const window = Math.floor(Date.now() / 1000 / seconds);
    const caller = `${guard}#${email}#0#${callerOf(ip)}`;
    await rates.increment({ limit: "login_pair_hour", caller, window, seconds, by: count });
  }

  test("returns the same error for a wrong password, an unknown email and a disabled account", async () => {
    const [active, disabled] = [await anAccount(kind), await anAccount(kind)];
    await disable(kind, disabled);
    const replies = [
      await logIn(kind, active.email, "not the password"),
      await logIn(kind, aPerson().email),
      await logIn(kind, disabled.email),
    ];
    const sentence = "These credentials do not match our records.";
    const problem = {
      message: sentence,
      code: "validation_failed",
      errors: { email: [sentence] },
      request_id: null,
    };
    const fields = ({ headers }: LoginReply) =>
      [...headers].filter(([name]) => !["x-request-id", "apigw-requestid", "date"].includes(name));
    for (const reply of replies) {
      expect(plain(reply)).toEqual([422, problem]);
      expect(fields(reply)).toEqual(fields(replies[0]!));
    }
  });

  test("may fail 5 times a minute from one IP address, while the account's owner can sign in from another address; successful logins do not count", async () => {
    const { email, statuses } = await inOneWindow(60, async () => {
      const [somebody, stranger] = [await anAccount(kind), client()];
      const attempt = async (password?: string) =>
        (await logIn(kind, somebody.email, password, stranger)).status;
      const right = [];
      for (let call = 1; call <= 6; call++) right.push(await attempt());
      const wrong = [];
      for (let call = 1; call <= 6; call++) wrong.push(await attempt("wrong password"));
      return { email: somebody.email, statuses: [...right, ...wrong, await attempt()] };
    });
    const six = [200, 200, 200, 200, 200, 200];
    expect(statuses).toEqual([...six, 422, 422, 422, 422, 422, 429, 429]);
    await failFrom(6, email);
    expect((await logIn(kind, email)).status).toBe(200);
  });

  test("may fail 20 times an hour from one IP address", async () => {
    const { email, last, refused } = await inOneWindow(3_600, async () => {
      const [somebody, stranger] = [await anAccount(kind), client()];
      await plantFailures(19, somebody.email, stranger.ip);
      return {
        email: somebody.email,
        last: await logIn(kind, somebody.email, "wrong password", stranger),
        refused: await logIn(kind, somebody.email, aPassword, stranger),
      };
    });
    expect([last.status, refused.status]).toEqual([422, 429]);
    expect(Number(refused.headers.get("x-ratelimit-limit"))).toBe(20);
    expect((await logIn(kind, email)).status).toBe(200);
  });

  test(
    "is accepted only from previously used IP addresses after 100 failures from any addresses",
    { tags: "slow" },
    async () => {
      const { stranger, former, ofUnknown, own } = await inOneWindow(3_600, async () => {
        const [{ id, email }, owner, formerly] = [await anAccount(kind), client(), client()];
        expect((await logIn(kind, email, aPassword, owner)).status).toBe(200);
        const known = { guard, subject: id, address: callerOf(formerly.ip) };
        const longAgo = new Date(Date.now() - 90 * 86_400_000 - 1_000).toISOString();
        await table.write(put(knownAddresses(guard), { ...known, signed_in_at: longAgo }));
        expect(await isKnownAddress(table, known, new Date())).toBe(false);

        const unknown = aPerson().email;
        await Promise.all([failFrom(20, email), failFrom(20, unknown)]);
        return {
          stranger: await logIn(kind, email),
          former: await logIn(kind, email, aPassword, formerly),
          ofUnknown: await logIn(kind, unknown),
          own: [
            await logIn(kind, email, aPassword, owner),
            await logIn(kind, email, "wrong password", owner),
          ],
        };
      });
      expect([stranger.status, former.status]).toEqual([429, 429]);
      expect(Number(stranger.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(plain(ofUnknown)).toEqual(plain(stranger));
      expect(own.map(({ status }) => status)).toEqual([200, 422]);
    },
  );

  test("is unlocked for every locked IP address when the password is reset", async () => {
    const { account, owner, elsewhere, locked } = await inOneWindow(60, async () => {
      const [somebody, one, other] = [await anAccount(kind), client(), client()];
      const { email } = somebody;
      await plantFailures(20, email, other.ip);
      for (let call = 1; call <= 6; call++) await logIn(kind, email, "wrong password", one);
      const answers = [
        await logIn(kind, email, aPassword, one),
        await logIn(kind, email, aPassword, other),
      ];
      return { account: somebody, owner: one, elsewhere: other, locked: answers };
    });
    expect(locked.map(({ status }) => status)).toEqual([429, 429]);

    const { id, email } = account;
    await forget(kind, email, owner);
    const token = await newestToken(email, "reset-password");
    expect((await reset(kind, { email, token }, owner)).status).toBe(200);
    const known = { guard, subject: id, address: callerOf(owner.ip) };
    expect(await isKnownAddress(table, known, new Date())).toBe(true);
    expect((await logIn(kind, email, newPassword, owner)).status).toBe(200);
    expect((await logIn(kind, email, newPassword, elsewhere)).status).toBe(200);
  });

  test("stays locked when the password of another account is reset", async () => {
    const statuses = await inOneWindow(60, async () => {
      const [victim, own, attacker] = [await anAccount(kind), await anAccount(kind), client()];
      const fail = () => logIn(kind, victim.email, "wrong password", attacker);
      for (let call = 1; call <= 5; call++) await fail();
      await forget(kind, own.email, attacker);
      const token = await newestToken(own.email, "reset-password");
      const done = await reset(kind, { email: own.email, token }, attacker);
      return [done.status, (await fail()).status];
    });
    expect(statuses).toEqual([200, 429]);
  });

  describe("with an unknown email", () => {
    let service: ProxiedService;
    beforeAll(async () => {
      service = await startProxiedService(environment, { latencyMs: 15 });
    });
    afterAll(() => service.stop());

    test.each([
      ["login", { password: "wrong password" }],
      ["forgot-password", {}],
    ])(
      "makes the same storage requests, in the same sequential steps, as one with a known email: %s",
      async (path, more) => {
        const work = async (email: string) => {
          const { result, calls: all } = await service.proxy.record(() =>
            clientOf(service.baseUrl).post(`${prefix}/${path}`, { email, ...more }),
          );
          // Settings are read every two seconds, independent of the request.
          const calls = all.filter(({ partitions }) =>
            partitions.some((each) => each !== "SETTINGS"),
          );
          return {
            status: result.status,
            steps: sequentialSteps(calls),
            operations: calls.map(({ operation }) => operation).toSorted(),
          };
        };
        const { email } = await anAccount(kind);
        expect(await work(aPerson().email)).toEqual(await work(email));
      },
    );
  });
});

describe.each([customers, staff])("a $guard password reset by mailed link", (kind) => {
  const { guard, prefix } = kind;
  const other = kind === staff ? customers : staff;

  test("returns the same response for a known, an unknown and a disabled account, which gets no mail", async () => {
    const [known, disabled] = [await anAccount(kind), await anAccount(kind)];
    await disable(kind, disabled);
    const replies = [
      await forget(kind, disabled.email),
      await forget(kind, aPerson().email),
      await forget(kind, known.email),
    ];
    for (const { status, body } of replies) expect([status, body]).toEqual([200, replies[0]?.body]);
    await linksTo(known.email, "reset-password");
    expect(await inbox.mailsTo(disabled.email)).toEqual([]);
  });

  test("sets the new password, and the link uses the shop's URL, not the request's Host header", async () => {
    const { email } = await anAccount(kind);
    const spoofed = { "x-forwarded-host": "evil.test" };
    await client().post(`${prefix}/forgot-password`, { email }, spoofed);
    const [link = { url: "", token: "" }] = await linksTo(email, "reset-password");
    expect(link.url).not.toContain("evil.test");
    expect((await reset(kind, { email, token: link.token })).status).toBe(200);
    expect((await logIn(kind, email)).status).toBe(422);
    expect((await logIn(kind, email, newPassword)).status).toBe(200);
    await inbox.waitFor(email, ({ subject }) => subject.includes("was changed"));
  });

  test("succeeds once per link, even with ten concurrent requests; a refused password does not use it up", async () => {
    const { account, token } = await forgotten(kind);
    const { email } = account;
    for (const password of ["short", "aaaaaaaaaaaaaaaa"]) {
      const refused = await reset(kind, { email, token, password });
      expect(refusedMembers(refused)).toEqual([422, ["password"]]);
    }
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        reset(kind, { email, token, password: `password number ${index}` }),
      ),
    );
    expect(tally(replies)).toEqual({ "200": 1, "422 validation_failed": 9 });
    const winner = replies.findIndex(({ status }) => status === 200);
    expect((await logIn(kind, email, `password number ${winner}`)).status).toBe(200);
    expect(refusedMembers(await reset(kind, { email, token }))).toEqual([422, ["token"]]);
  });

  test("is refused with another email, a link of another purpose, an invented token, or at the other guard's endpoint", async () => {
    const { account, token } = await forgotten(kind);
    const { email } = account;
    const verification = await renamed(kind);
    const attempts = [
      await reset(kind, { email: aPerson().email, token }),
      await reset(kind, verification),
      await reset(kind, { email: verification.account.email, token: verification.token }),
      await reset(kind, { email, token: "A".repeat(43) }),
      await reset(other, { email, token }),
      await verify(kind, account, token),
    ];
    for (const reply of attempts) expect(refusedMembers(reply)).toEqual([422, ["token"]]);
    expect((await reset(kind, { email, token })).status).toBe(200);
  });

  test("stores only the token's hash, and is refused an hour after its request", async () => {
    const before = new Date();
    const { account, token } = await forgotten(kind);
    expect(await table.get(Proofs, { token_hash: token })).toBeUndefined();
    const proof = await proofOf(token);
    const { id: subject, email } = account;
    expect(proof).toEqual({
      purpose: "reset_password",
      guard,
      subject,
      email,
      epoch: 1,
      expires_at: expect.any(String),
    });
    expectAfter(proof.expires_at, before, 3_600_000);
    const expires_at = new Date().toISOString();
    await table.write(put(Proofs, { token_hash: hashOf(token), ...proof, expires_at }));
    expect(refusedMembers(await reset(kind, { email, token }))).toEqual([422, ["token"]]);
  });

  test.each<[string, (account: Account, token: string) => Promise<unknown>]>([
    ["another link has reset the password", (account, token) => reset(kind, { ...account, token })],
    [
      "the password was changed in the profile",
      ({ ask }) => kind.change(ask, { password: newPassword, current_password: aPassword }),
    ],
    [
      "the account was disabled and accepted again",
      async (account) => {
        await disable(kind, account);
        await disable(kind, account, false);
      },
    ],
  ])("is refused once %s", async (_what, happens) => {
    const { account, token } = await forgotten(kind);
    await forget(kind, account.email);
    const links = await linksTo(account.email, "reset-password", 2);
    const second = links.find((link) => link.token !== token)?.token ?? "";
    await happens(account, second);
    expect(refusedMembers(await reset(kind, { ...account, token }))).toEqual([422, ["token"]]);
  });

  test("is refused while the account is disabled", async () => {
    const { account, token } = await forgotten(kind);
    await disable(kind, account);
    expect(refusedMembers(await reset(kind, { ...account, token }))).toEqual([422, ["token"]]);
  });

  test("can be requested 3 times an hour per email, whether or not an account exists, and apart from the other guard's requests", async () => {
    for (const someEmail of [
      async () => (await anAccount(kind)).email,
      async () => aPerson().email,
    ]) {
      const statuses = await inOneWindow(3_600, async () => {
        const email = await someEmail();
        const answers = [];
        for (let call = 1; call <= 4; call++) answers.push((await forget(kind, email)).status);
        return [...answers, (await forget(other, email)).status];
      });
      expect(statuses).toEqual([200, 200, 200, 429, 200]);
    }
  });
});

describe.each([customers, staff])("a $guard profile", (kind) => {
  const { change } = kind;

  test("accepts a new email or password only with the current password; the current email is no change", async () => {
    const { ask, email } = await anAccount(kind);
    for (const wish of [{ email: aPerson().email }, { password: newPassword }]) {
      for (const [current, sentence] of [
        [{}, "The current password field is required."],
        [{ current_password: "not the password" }, "The password is incorrect."],
      ] as const) {
        const { status, body } = await change(ask, { ...wish, ...current });
        expect([status, body.errors]).toEqual([422, { current_password: [sentence] }]);
      }
    }
    expect((await change(ask, { email: email.toUpperCase() })).status).toBe(200);
  });

  test("may be sent 20 wrong current passwords an hour, which do not lock the login", async () => {
    const { email, replies } = await inOneWindow(3_600, async () => {
      const somebody = await anAccount(kind);
      const wish = { password: newPassword, current_password: "wrong" };
      const answers = [];
      for (let guess = 1; guess <= 21; guess++) answers.push(await change(somebody.ask, wish));
      return { email: somebody.email, replies: answers };
    });
    expect(tally(replies)).toEqual({ "422 validation_failed": 20, "429 too_many_requests": 1 });
    expect((await logIn(kind, email)).status).toBe(200);
  });

  test("accepts one of two concurrent passwords: the other was confirmed with a password that is no longer current", async () => {
    const { ask, email } = await anAccount(kind);
    const passwords = ["password number one", "password number two"];
    const replies = await Promise.all(
      passwords.map((password) => change(ask, { password, current_password: aPassword })),
    );
    const winners = passwords.filter((_password, index) => replies[index]?.status === 200);
    expect(winners).toHaveLength(1);
    const loser = replies.find(({ status }) => status !== 200);
    expect([401, 422]).toContain(loser?.status);
    expect((await logIn(kind, email, winners[0])).status).toBe(200);
    await inbox.waitFor(email, ({ subject }) => subject.includes("was changed"));
  });

  test("accepts at most three new emails an hour, so that nobody can send spam through it", async () => {
    const statuses = await inOneWindow(3_600, async () => {
      const { ask } = await anAccount(kind);
      const answers: number[] = [];
      for (let attempt = 0; attempt < 4; attempt++) {
        const { email } = aPerson();
        answers.push((await change(ask, { email, current_password: aPassword })).status);
      }
      return answers;
    });
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("refuses an email that another account has", async () => {
    const [one, other] = [await anAccount(kind), await anAccount(kind)];
    const wish = { email: other.email, current_password: aPassword };
    const { status, body } = await change(one.ask, wish);
    expect([status, body.errors]).toEqual([422, { email: ["The email has already been taken."] }]);
    expect((await logIn(kind, one.email)).status).toBe(200);
  });

  test("returns 412 for an outdated If-Match; without If-Match, all concurrent changes succeed", async () => {
    const { ask } = await anAccount(kind);
    expect((await change(ask, { name: "One" }, { "if-match": '"v1"' })).status).toBe(200);
    const stale = await change(ask, { name: "Two" }, { "if-match": '"v1"' });
    expect([stale.status, stale.body.details]).toEqual([412, { current_version: 2 }]);
    const names = Array.from({ length: 6 }, (_, number) => `Name ${number}`);
    const replies = await Promise.all(names.map((name) => change(ask, { name })));
    const versions = new Set(replies.map(({ headers }) => headers.get("etag")));
    expect(versions).toEqual(new Set([3, 4, 5, 6, 7, 8].map((version) => `"v${version}"`)));
  });

  test(`mails a link to a new email, which counts ${kind.newEmailCounts}; the link works once and the old address is notified`, async () => {
    const { account, email, token } = await renamed(kind);
    const counts = kind.newEmailCounts === "at once";
    const statuses = async () => [
      (await logIn(kind, account.email)).status,
      (await logIn(kind, email)).status,
    ];
    expect(await statuses()).toEqual(counts ? [422, 200] : [200, 422]);
    const uses = await Promise.all(Array.from({ length: 4 }, () => verify(kind, account, token)));
    expect(tally(uses)).toEqual({ "200": 1, "422 validation_failed": 3 });
    expect(await statuses()).toEqual([422, 200]);
    await inbox.waitFor(account.email, ({ subject }) => subject.includes("was changed"));
  });

  test(`${kind === customers ? "keeps" : "invalidates"} the link to a new email when the password changes`, async () => {
    const { account, token } = await renamed(kind);
    const body = { password: newPassword, current_password: aPassword };
    expect((await change(account.ask, body)).status).toBe(200);
    const { status } = await verify(kind, account, token);
    expect(status).toBe(kind === customers ? 200 : 422);
  });
});

/** What happens in one of an account's two sessions. The events that only staff know are in `ended-sessions`. */
type Event = (kind: AccountKind, account: Account) => Promise<unknown>;
const events: [string, Event, { own: number; other: number }][] = [
  [
    "its logout ends only that session",
    ({ prefix }, { ask }) => ask("POST", `${prefix}/logout`),
    { own: 401, other: 200 },
  ],
  [
    "a new password in the profile ends every other one",
    ({ change }, { ask }) => change(ask, { password: newPassword, current_password: aPassword }),
    { own: 200, other: 401 },
  ],
  [
    "a reset of the password ends all",
    async (kind, { email }) => {
      await forget(kind, email);
      await reset(kind, { email, token: await newestToken(email, "reset-password") });
    },
    { own: 401, other: 401 },
  ],
  [
    "disabling the account ends all",
    (kind, account) => disable(kind, account),
    { own: 401, other: 401 },
  ],
  [
    "disabling the account and accepting it again ends all",
    async (kind, account) => {
      await disable(kind, account);
      await disable(kind, account, false);
    },
    { own: 401, other: 401 },
  ],
  [
    "a new email that is verified ends none",
    async (kind, account) => {
      const { email } = aPerson();
      await kind.change(account.ask, { email, current_password: aPassword });
      const verified = await verify(kind, account, await newestToken(email, "verify-email"));
      expect(verified.status).toBe(200);
    },
    { own: 200, other: 200 },
  ],
  [
    "a request for a password reset ends none",
    (kind, { email }) => forget(kind, email),
    { own: 200, other: 200 },
  ],
];
describe.each(
  [customers, staff].flatMap((kind) => events.map((event) => [kind, ...event] as const)),
)("of two sessions of a $guard,", (kind, title, happens, { own, other }) => {
  test(title, async () => {
    const account = await anAccount(kind);
    const second = (await logIn(kind, account.email)).body.data.token;
    const both = () => Promise.all([account.token, second].map((token) => statusOf(kind, token)));
    // Now the gateway has cached the authorizer's results. An end must take effect nevertheless.
    expect(await both()).toEqual([200, 200]);
    await happens(kind, account);
    expect(await both()).toEqual([own, other]);
  });
});
