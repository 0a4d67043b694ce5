import { createHmac, timingSafeEqual } from "node:crypto";
import { hashOf } from "#shared/auth/opaque-tokens.ts";

/** What proves a guest's order. Made of the cart's token, so that a repeated checkout can give it again. */
export function orderAccessToken(cartToken: string, orderId: string): string {
  return createHmac("sha256", cartToken).update(orderId).digest("base64url");
}

/** Compares in a time that does not tell how much of it is right. */
export function matchesHash(token: string, expected: string): boolean {
  const [one, other] = [Buffer.from(hashOf(token)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
