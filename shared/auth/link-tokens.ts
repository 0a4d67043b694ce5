import { SignJWT, errors, jwtVerify } from "jose";
import type { KeySource } from "../runtime/key-ring.ts";
import { secretBytes, verifyingKey } from "./tokens.ts";

const algorithm = "HS256";
/** Tells the tokens of links from those of sessions. */
const type = "link+jwt";

/** What a link opens: an order, or the confirmation of one. */
export type LinkPurpose = "order" | "confirmation";

/** What the token of a link says. */
interface LinkClaims {
  /** The id of the order. */
  readonly subject: string;
  /** The tag of the address to which the link is mailed. */
  readonly mailedTo?: string | undefined;
}

interface NewLink extends LinkClaims {
  readonly purpose: LinkPurpose;
  /** Without it, the caller decides whether the link has ended. */
  readonly expiresAt?: Date;
}

/**
 * The token of a link that needs no other proof.
 *
 * @throws Unavailable when the key cannot be read
 */
export async function linkToken(
  { purpose, subject, mailedTo, expiresAt }: NewLink,
  keys: KeySource,
): Promise<string> {
  const { current } = await keys();
  const token = new SignJWT({ to: mailedTo })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: current.kid })
    .setAudience(purpose)
    .setSubject(subject);
  if (expiresAt) token.setExpirationTime(expiresAt);
  return token.sign(secretBytes(current.secret));
}

/**
 * What a link's token says; undefined if the token is for another purpose, is invalid or has expired.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function readLinkToken(
  token: string,
  purpose: LinkPurpose,
  keys: KeySource,
  now: Date,
): Promise<LinkClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, verifyingKey(keys), {
      algorithms: [algorithm],
      audience: purpose,
      typ: type,
      currentDate: now,
      requiredClaims: ["sub"],
    });
    const { sub: subject = "", to } = payload;
    return { subject, mailedTo: typeof to === "string" ? to : undefined };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
