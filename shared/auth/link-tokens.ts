import { SignJWT, errors, jwtVerify } from "jose";
import type { KeySource } from "../runtime/key-ring.ts";
import { bytesOf, verifyingKey } from "./tokens.ts";

const algorithm = "HS256";
/** Tells the tokens of links from those of sessions. */
const type = "link+jwt";

/** What a link opens: an order, or the confirmation of one. */
export type LinkPurpose = "order" | "confirmation";

interface LinkClaims {
  readonly purpose: LinkPurpose;
  /** The id of the order. */
  readonly subject: string;
  /** Without it, the caller decides whether the link has ended. */
  readonly expiresAt?: Date;
}

/**
 * The token of a link that needs no other proof.
 *
 * @throws Unavailable when the key cannot be read
 */
export async function linkToken(
  { purpose, subject, expiresAt }: LinkClaims,
  keys: KeySource,
): Promise<string> {
  const { current } = await keys();
  const token = new SignJWT()
    .setProtectedHeader({ alg: algorithm, typ: type, kid: current.kid })
    .setAudience(purpose)
    .setSubject(subject);
  if (expiresAt) token.setExpirationTime(expiresAt);
  return token.sign(bytesOf(current.secret));
}

/**
 * The id of the order that a link's token opens for a purpose; undefined if the token is invalid or has expired.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function subjectOfLink(
  token: string,
  purpose: LinkPurpose,
  keys: KeySource,
  now: Date,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, verifyingKey(keys), {
      algorithms: [algorithm],
      audience: purpose,
      typ: type,
      currentDate: now,
      requiredClaims: ["sub"],
    });
    return payload.sub;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
