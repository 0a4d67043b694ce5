import { SignJWT, errors, jwtVerify } from "jose";
import { documentLinkSeconds } from "../domain/document/document.ts";
import type { KeySource } from "../runtime/key-ring.ts";
import { bytesOf, verifyingKey } from "./tokens.ts";

const algorithm = "HS256";
/** It tells the token from those of sessions, which the same keys sign. */
const type = "order-confirmation+jwt";
const audience = "documents";

/**
 * The token of a link that opens an order's confirmation for 15 minutes, without any other proof.
 *
 * @throws Unavailable when the key cannot be read
 */
export async function confirmationToken(
  orderId: string,
  keys: KeySource,
  now: Date,
): Promise<string> {
  const { current } = await keys();
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: type, kid: current.kid })
    .setAudience(audience)
    .setSubject(orderId)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + documentLinkSeconds)
    .sign(bytesOf(current.secret));
}

/**
 * The id of the order whose confirmation a token opens; undefined if the token is invalid or has expired.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function orderOfToken(
  token: string,
  keys: KeySource,
  now: Date,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, verifyingKey(keys), {
      algorithms: [algorithm],
      audience,
      typ: type,
      currentDate: now,
      requiredClaims: ["sub", "exp"],
    });
    return payload.sub;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
