import { addressTag, newOpaqueToken } from "./opaque-tokens.ts";

/**
 * A new token for the link in a quote's mail. It names the address to which it is mailed.
 *
 * @param randomBytes from a secure source
 */
export const quoteLinkToken = (email: string, randomBytes: (count: number) => Buffer): string =>
  `${newOpaqueToken(randomBytes)}.${addressTag(email)}`;

/** Whether a quote's link was mailed to this address. The token must be that of the quote. */
export const wasMailedTo = (email: string, token: string): boolean =>
  token.endsWith(`.${addressTag(email)}`);
