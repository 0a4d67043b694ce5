import { SignJWT, decodeJwt, errors, jwtVerify } from "jose";
import type { Claims, Distrust } from "./identity.ts";
import type { Guard } from "../domain/request/identity.ts";
import { type KeySource, keyNamed } from "../runtime/key-ring.ts";

const issuer = "furniture-storefront";
const audiences: Record<Guard, string> = { customer: "storefront", staff: "back-office" };
const algorithm = "HS256";
const type = "at+jwt";

/** A token's default lifetime by guard, in seconds; the shop's settings may override it. */
export const tokenLifetimes: Record<Guard, number> = {
  customer: 30 * 24 * 60 * 60,
  staff: 12 * 60 * 60,
};

/**
 * Signs a token that is valid from now on.
 *
 * @param lifetime in seconds
 * @throws Unavailable when the key cannot be read
 */
export async function mintToken(
  { guard, subject, session, role }: Claims,
  keys: KeySource,
  now: Date,
  lifetime: number = tokenLifetimes[guard],
): Promise<{ token: string; expires_at: string }> {
  const { current } = await keys();
  const issued = Math.floor(now.getTime() / 1000);
  const expires = issued + lifetime;
  const token = await new SignJWT({ sid: session, ...(role !== null && { role }) })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: current.kid })
    .setIssuer(issuer)
    .setAudience(audiences[guard])
    .setSubject(subject)
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(secretBytes(current.secret));
  return { token, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Verifies a token, or returns why it is invalid. Accepts any input.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function verifyToken(
  token: string,
  guard: Guard,
  keys: KeySource,
  now: Date,
): Promise<{ claims: Claims } | { distrust: Distrust }> {
  try {
    const { payload } = await jwtVerify(token, verifyingKey(keys), {
      algorithms: [algorithm],
      issuer,
      audience: audiences[guard],
      typ: type,
      currentDate: now,
      requiredClaims: ["sub", "sid", "aud", "exp", "iat"],
    });
    const { aud, sub, sid, role } = payload;
    // jose also accepts an array of audiences. A token with both audiences would be valid for both guards.
    if (typeof aud !== "string" || typeof sub !== "string" || typeof sid !== "string") {
      return { distrust: "wrong_claims" };
    }
    return {
      claims: { guard, subject: sub, session: sid, role: typeof role === "string" ? role : null },
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return { distrust: distrustOf(error) };
    throw error;
  }
}

/** Finds the key that a token names, also the previous one. */
export const verifyingKey =
  (keys: KeySource) =>
  async ({ kid }: { kid?: string | undefined }): Promise<Uint8Array> => {
    const key = kid === undefined ? undefined : keyNamed(kid, await keys(kid));
    if (!key) throw new errors.JWKSNoMatchingKey();
    return secretBytes(key.secret);
  };

/** The guard that a token claims. It only selects the keys to verify with. */
export function claimedGuard(token: string): Guard | undefined {
  try {
    const { aud } = decodeJwt(token);
    return (["customer", "staff"] as const).find((guard) => aud === audiences[guard]);
  } catch {
    return undefined;
  }
}

function distrustOf(error: InstanceType<typeof errors.JOSEError>): Distrust {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWKSNoMatchingKey) return "unknown_key";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "wrong_signature";
  if (error instanceof errors.JWTClaimValidationFailed) return "wrong_claims";
  return "malformed";
}

export const secretBytes = (secret: string): Uint8Array => Buffer.from(secret, "base64url");
