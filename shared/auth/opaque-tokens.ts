import { hash } from "node:crypto";
import * as z from "zod";

/** The token of a guest's cart. */
export const CartToken = z
  .string()
  .max(255)
  .meta({ description: "Token of a guest's cart: `token` in the response that created the cart" });

/**
 * A new random token of 256 bits.
 *
 * @param randomBytes from a secure source
 */
export function newOpaqueToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a token. Tokens are random enough for a plain hash. */
export const hashOf = (token: string): string => hash("sha256", token, "base64url");

/** Names in a link's token the address to which the link is mailed: 96 bits of its hash. */
export const addressTag = (email: string): string => hashOf(email).slice(0, 16);
