import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { StoredOrder } from "../domain/order.ts";
import type { Actor } from "../http/route.ts";
import { CartToken, hashOf } from "./opaque-tokens.ts";

/** What a guest proves an order with. */
export const OrderProof = z.object({
  "x-cart-token": CartToken.optional(),
  "x-order-token": z.string().max(255).optional().meta({
    description:
      "The `order_access_token` of the checkout, or the `token` of the mailed link to pay, until the order lapses",
  }),
});
export type OrderProof = z.output<typeof OrderProof>;

/** What proves a guest's order. Made of the cart's token, so that a repeated checkout can give it again. */
export function orderAccessToken(cartToken: string, orderId: string): string {
  return createHmac("sha256", cartToken).update(orderId).digest("base64url");
}

/** Whether the caller is an order's buyer: the customer it belongs to, or whoever holds a guest's token of it. */
export function isBuyer(
  { id, customer, access_token_hash }: StoredOrder,
  actor: Actor,
  { "x-cart-token": cartToken, "x-order-token": orderToken }: OrderProof,
): boolean {
  if (customer.id !== null) return actor.kind === "customer" && actor.id === customer.id;
  if (access_token_hash === null) return false;
  const proofs = [orderToken, cartToken && orderAccessToken(cartToken, id)];
  return proofs.some((proof) => proof !== undefined && matchesHash(proof, access_token_hash));
}

/** Compares in a time that does not tell how much of it is right. */
function matchesHash(token: string, expected: string): boolean {
  const [one, other] = [Buffer.from(hashOf(token)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
