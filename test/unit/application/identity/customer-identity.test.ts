import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claims, Identity } from "#shared/auth/identity.ts";
import { openCustomerIdentity } from "#shared/application/identity/customer-identity.ts";
import { signIn } from "#shared/application/identity/sign-in.ts";
import { tokenLifetimes, verifyToken } from "#shared/auth/tokens.ts";
import { type Customer, endingSessions } from "#shared/domain/customer/customer.ts";
import { addCustomer, replaceCustomer } from "#shared/storage/customer/customers.ts";
import { endSession } from "#shared/storage/staff/sessions.ts";
import { aCustomer } from "#test/support/people/members.ts";
import { sequentialSteps, totalUnits } from "#test/support/emulators/dynamodb-calls.ts";
import { forgeToken, testKeys } from "#test/support/http/identity.ts";
import { type TestTable, startTestTable } from "#test/support/stack/table.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const keys = async () => testKeys.customer;
const from = { ip: "10.0.0.1", now };

let here: TestTable;
let identity: Identity;
beforeAll(async () => {
  here = await startTestTable();
  identity = openCustomerIdentity(here.table, keys);
});
afterAll(() => here.stop());

async function signedIn(overrides: Partial<Customer> = {}) {
  const customer = aCustomer(overrides);
  const { id: subject, session_epoch: epoch } = customer;
  const who = { guard: "customer", subject, epoch, role: null } as const;
  const { token, expires_at, writes } = await signIn(who, keys, from);
  await here.table.transact([addCustomer(customer), ...writes]);
  const read = await verifyToken(token, "customer", keys, now);
  if (!("claims" in read)) throw new Error(`The token was refused: ${read.distrust}`);
  return { customer, claims: read.claims, token, expires_at };
}

const sessionState = (claims: Claims, at = now) => identity.sessionState(claims, at);

describe("a customer's session", () => {
  test("is valid from sign-in until its token expires", async () => {
    const { claims, expires_at } = await signedIn();
    expect(await sessionState(claims)).toEqual({ permissions: [] });
    expect(expires_at).toBe(after(tokenLifetimes.customer).toISOString());
    expect(await sessionState(claims, after(tokenLifetimes.customer - 1))).toBeDefined();
    // The session's row may remain for days, because DynamoDB deletes expired rows late.
    expect(await sessionState(claims, after(tokenLifetimes.customer))).toBeUndefined();
  });

  test("is invalid immediately after logout, which is idempotent", async () => {
    const { claims } = await signedIn();
    await here.table.write(endSession(claims));
    await here.table.write(endSession(claims));
    expect(await sessionState(claims)).toBeUndefined();
  });

  test("is invalid after all of the customer's sessions were ended; a session created later is valid", async () => {
    const { customer, claims } = await signedIn();
    const changed = endingSessions(customer);
    await here.table.write(replaceCustomer(customer, changed));
    expect(await sessionState(claims)).toBeUndefined();

    const who = { guard: "customer", subject: customer.id, role: null } as const;
    const late = await signIn({ ...who, epoch: customer.session_epoch }, keys, from);
    const next = await signIn({ ...who, epoch: changed.session_epoch }, keys, from);
    await here.table.transact(late.writes);
    await here.table.transact(next.writes);
    const claimsOf = async (token: string) => {
      const read = await verifyToken(token, "customer", keys, now);
      return "claims" in read ? read.claims : claims;
    };
    // `late` signed in with the customer record from before the change, so its session is invalid.
    expect(await sessionState(await claimsOf(late.token))).toBeUndefined();
    expect(await sessionState(await claimsOf(next.token))).toBeDefined();
  });

  test("is invalid once the customer is disabled or deleted", async () => {
    const disabled = await signedIn({ status: "disabled" });
    expect(await sessionState(disabled.claims)).toBeUndefined();
    expect(await sessionState({ ...disabled.claims, subject: "cus_gone" })).toBeUndefined();
  });

  test("identifies no other customer", async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    const stolen = { ...mine.claims, session: theirs.claims.session };
    expect(await sessionState(stolen)).toBeUndefined();
  });

  test("is checked with one strongly consistent request that reads two items", async () => {
    const { claims } = await signedIn();
    const { calls } = await here.proxy.record(() => sessionState(claims));
    expect(calls).toMatchObject([{ operation: "BatchGetItem", consistent: true }]);
    expect(sequentialSteps(calls)).toBe(1);
    expect(totalUnits(calls)).toEqual({ read: 2, write: 0 });
  });
});

test("a customer token is verified with the customers' keys only and without a storage read", async () => {
  const { token, claims } = await signedIn();
  const { result, calls } = await here.proxy.record(() =>
    Promise.all([
      identity.readToken?.(token, now),
      identity.readToken?.(forgedStaff, now),
      identity.readToken?.("garbage", now),
    ]),
  );
  expect(result).toEqual([claims, undefined, undefined]);
  expect(calls).toEqual([]);
});

const forgedStaff = await forgeToken({ guard: "staff", now });
