import { SignJWT } from "jose";
import type { Guard } from "#shared/domain/request/identity.ts";
import type { KeyRing } from "#shared/runtime/key-ring.ts";
import { tokenLifetimes } from "#shared/auth/tokens.ts";

const secretOf = (letter: string) => Buffer.alloc(32, letter).toString("base64url");

/** The keys of each guard in tests; `previous` is the key from before the last rotation. */
export const testKeys = {
  customer: {
    current: { kid: "c2", secret: secretOf("c") },
    previous: { kid: "c1", secret: secretOf("b") },
  },
  staff: { current: { kid: "s1", secret: secretOf("s") } },
} as const satisfies Record<Guard, KeyRing>;

const audiences: Record<Guard, string> = { customer: "storefront", staff: "back-office" };

/** The parts of a forged token. Omitted parts are as in a valid token. */
export interface TokenParts {
  guard?: Guard;
  subject?: string;
  session?: string;
  key?: { kid?: string; secret: string };
  alg?: string;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  now?: Date;
}

/** A signed token with any content, built without the service's code so that every part can be wrong. */
export async function forgeToken(parts: TokenParts = {}): Promise<string> {
  const { guard = "customer", subject = "cus_1", session = "ses_1", now = new Date() } = parts;
  const key = parts.key ?? testKeys[guard].current;
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: "furniture-storefront",
    aud: audiences[guard],
    sub: subject,
    sid: session,
    iat,
    exp: iat + tokenLifetimes[guard],
    ...parts.claims,
  };
  const header = {
    alg: parts.alg ?? "HS256",
    typ: "at+jwt",
    ...(key.kid !== undefined && { kid: key.kid }),
    ...parts.header,
  };
  return new SignJWT(claims).setProtectedHeader(header).sign(Buffer.from(key.secret, "base64url"));
}

/** A token with the same claims as this one, but with `alg: none` and no signature. */
export async function unsigned(token: Promise<string>): Promise<string> {
  const [header = "", payload = ""] = (await token).split(".");
  const claimed = JSON.parse(Buffer.from(header, "base64url").toString()) as object;
  const none = JSON.stringify({ ...claimed, alg: "none" });
  return `${Buffer.from(none).toString("base64url")}.${payload}.`;
}
