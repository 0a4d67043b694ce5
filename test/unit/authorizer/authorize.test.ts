import { describe, expect, test } from "vitest";
import { authorize } from "#functions/authorizer/authorize.ts";
import { type TokenParts, forgeToken, testKeys, unsigned } from "#test/support/http/identity.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const reads: string[] = [];
const deps = {
  async customerKeys() {
    reads.push("customer");
    return testKeys.customer;
  },
  async staffKeys() {
    reads.push("staff");
    return testKeys.staff;
  },
  now: () => now,
};
const said = async (header: string) => {
  reads.length = 0;
  const { isAuthorized, context } = await authorize({ identitySource: [header] }, deps);
  // The authorizer never denies a call. The function refuses it instead.
  expect(isAuthorized).toBe(true);
  return context;
};
const forged = (parts: TokenParts = {}) => forgeToken({ now, ...parts });

describe("the API Gateway authorizer", () => {
  test("verifies a customer's token with the customers' keys only", async () => {
    expect(await said(`Bearer ${await forged()}`)).toEqual({
      guard: "customer",
      subject: "cus_1",
      session: "ses_1",
    });
    expect(reads).toEqual(["customer"]);
  });

  test("accepts a staff user and passes on the role in the token as a hint", async () => {
    const token = await forged({ guard: "staff", subject: "stf_1", claims: { role: "role_1" } });
    expect(await said(`Bearer ${token}`)).toEqual({
      guard: "staff",
      subject: "stf_1",
      session: "ses_1",
      role: "role_1",
    });
    expect(reads).toEqual(["staff"]);
  });

  test("returns string values only, because API Gateway drops nulls", async () => {
    for (const header of [`Bearer ${await forged()}`, "garbage"]) {
      for (const value of Object.values(await said(header))) expect(typeof value).toBe("string");
    }
  });

  test.each<[string, TokenParts, string]>([
    ["a customer token signed by the staff's key", { key: testKeys.staff.current }, "unknown_key"],
    [
      "a staff token signed by the customers' key",
      { guard: "staff", key: testKeys.customer.current },
      "unknown_key",
    ],
    [
      "a customer token signed by the staff's key with the customers' key id",
      { key: { kid: "c2", secret: testKeys.staff.current.secret } },
      "wrong_signature",
    ],
    ["an expired token", { now: new Date("2026-10-01T00:00:00.000Z") }, "expired"],
    ["a token for both audiences", { claims: { aud: ["storefront", "back-office"] } }, "malformed"],
    ["a token for another audience", { claims: { aud: "elsewhere" } }, "malformed"],
  ])("returns an anonymous caller for %s", async (_kind, parts, reason) => {
    expect(await said(`Bearer ${await forged(parts)}`)).toEqual({ guard: "anonymous", reason });
  });

  test("returns an anonymous caller for a token without signature and for a missing token", async () => {
    const anonymous = { guard: "anonymous", reason: "malformed" };
    expect(await said(`Bearer ${await unsigned(forged())}`)).toEqual(anonymous);
    for (const header of ["Bearer garbage", "Basic YTpi", "x"]) {
      expect(await said(header)).toEqual(anonymous);
    }
    expect(await authorize({ identitySource: [] }, deps)).toMatchObject({ context: anonymous });
  });
});
