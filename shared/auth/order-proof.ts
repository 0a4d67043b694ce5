import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { StoredOrder } from "../domain/order/order.ts";
import type { Actor } from "../domain/request/identity.ts";
import { CartToken, hashOf } from "./opaque-tokens.ts";
import { opensPayment } from "./pay-link.ts";

/** What a guest proves an order with. */
export const OrderProof = z.object({
  "x-cart-token": CartToken.optional(),
  "x-order-token": z.string().max(255).optional().meta({
    description:
      "The `order_access_token` of the checkout, or the `token` of the mailed link to pay, until the order expires",
  }),
});
export type OrderProof = z.output<typeof OrderProof>;

/** What proves a guest's order. Made of the cart's token, so that a repeated checkout can give it again. */
export function orderAccessToken(cartToken: string, orderId: string): string {
  return createHmac("sha256", cartToken).update(orderId).digest("base64url");
}

/** Who asks for an order, and what they show for it. */
export interface OrderCaller {
  readonly actor: Actor;
  readonly headers: OrderProof;
  readonly now: Date;
}

/**
 * Whether an order may be shown to a caller. One of an account is shown to that account alone; a guest's to whoever
 * holds its cart's token, its own or that of a mailed link; one whose account was erased to nobody.
 */
export function provesOrder(order: StoredOrder, { actor, headers, now }: OrderCaller): boolean {
  const { id, customer, access_token_hash } = order;
  if (customer.id !== null) return actor.kind === "customer" && actor.id === customer.id;
  if (access_token_hash === null) return false;
  const { "x-cart-token": cartToken, "x-order-token": orderToken } = headers;
  const proofs = [orderToken, cartToken && orderAccessToken(cartToken, id)];
  return (
    proofs.some((proof) => proof !== undefined && matchesHash(proof, access_token_hash)) ||
    (orderToken !== undefined && opensPayment(order, orderToken, now))
  );
}

/** Compares in a time that does not tell how much of it is right. */
function matchesHash(token: string, expected: string): boolean {
  const [one, other] = [Buffer.from(hashOf(token)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
