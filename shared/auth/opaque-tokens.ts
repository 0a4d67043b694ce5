import { hash } from "node:crypto";
import * as z from "zod";

/** What names a guest's cart. */
export const CartToken = z
  .string()
  .max(255)
  .meta({ description: "Names a guest's cart; issued with it" });

/**
 * A new token that means nothing but what it is stored with: 256 random bits.
 *
 * @param randomBytes from a secure source
 */
export function newOpaqueToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(32).toString("base64url");
}

/** Tokens are stored as this only. They hold so much randomness that a plain hash is enough. */
export const hashOf = (token: string): string => hash("sha256", token, "base64url");
