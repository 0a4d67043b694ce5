import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bearerToken } from "#shared/auth/identity.ts";
import type { KeyRing, KeySource } from "#shared/runtime/key-ring.ts";
import { claimedGuard, mintToken, tokenLifetimes, verifyToken } from "#shared/auth/tokens.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type TokenParts, forgeToken, testKeys, unsigned } from "#test/support/http/identity.ts";

const now = new Date("2026-11-21T09:00:00.000Z");
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const given =
  (ring: KeyRing): KeySource =>
  async () =>
    ring;
const keys = { customer: given(testKeys.customer), staff: given(testKeys.staff) };
const claims = { guard: "customer", subject: "cus_1", session: "ses_1", role: null } as const;
const forged = (parts: TokenParts = {}) => forgeToken({ now, ...parts });
const verdictOn = async (token: string | Promise<string>) =>
  verifyToken(await token, "customer", keys.customer, now);

describe("a token that the service issued", () => {
  test.each([
    { ...claims, lasts: 30 * 86_400 },
    { guard: "staff", subject: "stf_1", session: "ses_2", role: "role_1", lasts: 12 * 3_600 },
  ] as const)("identifies its $guard until it expires", async ({ lasts, ...claims }) => {
    const { token, expires_at } = await mintToken(claims, keys[claims.guard], now);
    expect(expires_at).toBe(after(lasts).toISOString());
    const read = (at: Date) => verifyToken(token, claims.guard, keys[claims.guard], at);
    expect(await read(now)).toEqual({ claims });
    expect(await read(after(lasts - 1))).toEqual({ claims });
    expect(await read(after(lasts))).toEqual({ distrust: "expired" });
    expect(claimedGuard(token)).toBe(claims.guard);
  });

  test("is a JWT with one audience and a type, signed by the current key", async () => {
    const { token } = await mintToken(claims, keys.customer, now);
    const [header, payload] = token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as unknown);
    expect(header).toEqual({ alg: "HS256", typ: "at+jwt", kid: "c2" });
    const iat = now.getTime() / 1000;
    expect(payload).toEqual({
      iss: "furniture-storefront",
      aud: "storefront",
      sub: "cus_1",
      sid: "ses_1",
      iat,
      exp: iat + tokenLifetimes.customer,
    });
  });
});

describe("token verification", () => {
  test("accepts a token that the service issued", async () => {
    expect(await verdictOn(forged())).toEqual({ claims });
  });

  test("accepts a token that the previous key signed, but none that an earlier key signed", async () => {
    expect(await verdictOn(forged({ key: testKeys.customer.previous }))).toEqual({ claims });
    const rotated = given({ current: testKeys.customer.current });
    const old = await forged({ key: testKeys.customer.previous });
    expect(await verifyToken(old, "customer", rotated, now)).toEqual({ distrust: "unknown_key" });
  });
});

describe("token verification of an invalid token", () => {
  test.each<[string, TokenParts, string]>([
    ["expired", { now: after(-tokenLifetimes.customer) }, "expired"],
    ["not yet valid", { claims: { nbf: now.getTime() / 1000 + 60 } }, "wrong_claims"],
    [
      "signed by a key with an unknown id",
      { key: { ...testKeys.customer.current, kid: "c9" } },
      "unknown_key",
    ],
    ["without a key id", { key: { secret: testKeys.customer.current.secret } }, "unknown_key"],
    [
      "signed by the other guard's key with this guard's key id",
      { key: { kid: "c2", secret: testKeys.staff.current.secret } },
      "wrong_signature",
    ],
    ["of the other guard", { guard: "staff" }, "unknown_key"],
    [
      "signed by this guard's key with the other guard's audience",
      { claims: { aud: "back-office" } },
      "wrong_claims",
    ],
    ["for both audiences", { claims: { aud: ["storefront", "back-office"] } }, "wrong_claims"],
    ["for its audience, written as a list", { claims: { aud: ["storefront"] } }, "wrong_claims"],
    ["without an audience", { claims: { aud: undefined } }, "wrong_claims"],
    ["of another issuer", { claims: { iss: "somebody" } }, "wrong_claims"],
    ["of another type", { header: { typ: "JWT" } }, "wrong_claims"],
    ["without a type", { header: { typ: undefined } }, "wrong_claims"],
    ["signed with another algorithm", { alg: "HS512" }, "malformed"],
    ["without an expiry", { claims: { exp: undefined } }, "wrong_claims"],
    ["without a session id", { claims: { sid: undefined } }, "wrong_claims"],
    ["with a session id that is not a string", { claims: { sid: 7 } }, "wrong_claims"],
    ["without a subject", { claims: { sub: undefined } }, "wrong_claims"],
  ])("fails if the token is %s", async (_kind, parts, distrust) => {
    expect(await verdictOn(forged(parts))).toEqual({ distrust });
  });

  test("fails if the token has no signature", async () => {
    expect(await verdictOn(unsigned(forged()))).toEqual({ distrust: "malformed" });
  });

  test("fails if one character of the token was changed", async () => {
    const token = await forged();
    for (const at of [5, token.indexOf(".") + 5, token.lastIndexOf(".") + 5]) {
      const other = token[at] === "A" ? "B" : "A";
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(await verdictOn(changed)).toHaveProperty("distrust");
    }
  });

  test("fails for random text without throwing", async () => {
    const part = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString("base64url")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const token = parts.join(".");
        expect(await verdictOn(token)).toHaveProperty("distrust");
        expect(claimedGuard(token)).toBeUndefined();
      }),
    );
  });
});

test("while the signing keys are unavailable, a request with a token returns 503", async () => {
  const none: KeySource = async () => {
    throw new Unavailable("no keys");
  };
  await expect(verifyToken(await forged(), "customer", none, now)).rejects.toThrow(Unavailable);
  await expect(mintToken(claims, none, now)).rejects.toThrow(Unavailable);
});

test("the guard (customer or staff) of an unverified token is read only if the token names a single audience", async () => {
  expect(claimedGuard(await forged({ guard: "staff" }))).toBe("staff");
  expect(claimedGuard(await forged({ claims: { aud: ["storefront"] } }))).toBeUndefined();
  expect(claimedGuard(await forged({ claims: { aud: "elsewhere" } }))).toBeUndefined();
});

describe("an Authorization header", () => {
  test.each([
    ["Bearer abc.def.ghi", "abc.def.ghi"],
    ["bearer abc", "abc"],
    ["BEARER abc", "abc"],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Bearer  abc", undefined],
    ["Bearer abc def", undefined],
    ["Bearer abc,Bearer def", undefined],
    ["Basic abc", undefined],
    ["abc", undefined],
    ["", undefined],
    [`Bearer ${"a".repeat(4096)}`, "a".repeat(4096)],
    [`Bearer ${"a".repeat(4097)}`, undefined],
  ])("is parsed as a Bearer token or ignored: %.20s", (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});
