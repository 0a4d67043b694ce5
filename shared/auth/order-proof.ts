import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { namesOf } from "../domain/base/members.ts";
import type { OrderRecord } from "../domain/order/order.ts";
import { AppError } from "../domain/request/app-error.ts";
import type { Actor } from "../domain/request/identity.ts";
import type { KeySource } from "../runtime/key-ring.ts";
import { CartToken, hashOf } from "./opaque-tokens.ts";
import { openOrderByLink } from "./order-link.ts";

/** The headers with which a guest proves access to an order. */
export const OrderProof = z.object({
  "x-cart-token": CartToken.optional(),
  "x-order-token": z.string().max(500).optional().meta({
    description:
      "`order_access_token` of the checkout, or `token` of the link in a mail about the order",
  }),
});
export type OrderProof = z.output<typeof OrderProof>;

/** The names of these headers. */
export const proofHeaders = namesOf(OrderProof.shape);

/**
 * The access token of a guest's order. It is derived from the cart's token, so that a repeated checkout returns the
 * same access token.
 */
export function orderAccessToken(cartToken: string, orderId: string): string {
  return createHmac("sha256", cartToken).update(orderId).digest("base64url");
}

/** The caller who requests an order, and the headers that may prove access to the order. */
export interface OrderCaller {
  readonly actor: Actor;
  readonly headers: OrderProof;
  readonly now: Date;
}

export interface ProofDeps {
  /** The keys that sign the links in mails. */
  readonly linkKeys: KeySource;
}

interface Proof {
  /** The email of the order, if the proof shows that it is the caller's; otherwise null. */
  readonly provenEmail: string | null;
}

/**
 * How a caller proves access to an order, or undefined. An account's order requires that account. A guest's order requires
 * the cart's token, the order's token or the token of the mailed link. An order whose account was erased is visible only
 * to staff.
 */
async function proofOf(
  record: OrderRecord,
  { actor, headers, now }: OrderCaller,
  { linkKeys }: ProofDeps,
): Promise<Proof | undefined> {
  const { id, customer, access_token_hash } = record.order;
  if (customer.id !== null) {
    const isOwner = actor.kind === "customer" && actor.id === customer.id;
    return isOwner ? { provenEmail: null } : undefined;
  }
  if (access_token_hash === null) return undefined;
  const { "x-cart-token": cartToken, "x-order-token": orderToken } = headers;
  const proofs = [orderToken, cartToken && orderAccessToken(cartToken, id)];
  if (proofs.some((proof) => proof !== undefined && matchesHash(proof, access_token_hash))) {
    return { provenEmail: null };
  }
  return orderToken === undefined ? undefined : openOrderByLink(record, orderToken, linkKeys, now);
}

/**
 * Returns the order with the caller's proof of access to it.
 *
 * @throws AppError `not_found` when the order does not exist or access is not proven
 * @throws Unavailable when the keys of links cannot be read
 */
export async function proveOrder(
  record: OrderRecord | undefined,
  caller: OrderCaller,
  deps: ProofDeps,
): Promise<Proof & { readonly record: OrderRecord }> {
  const proof = record && (await proofOf(record, caller, deps));
  if (record && proof) return { record, ...proof };
  throw new AppError("not_found", { message: "There is no order with this id." });
}

/** The order of `proveOrder`. Every response that shows an order to its buyer uses one of the two. */
export const provenOrder = async (
  ...request: Parameters<typeof proveOrder>
): Promise<OrderRecord> => (await proveOrder(...request)).record;

/** Compares in constant time. */
function matchesHash(token: string, expected: string): boolean {
  const [one, other] = [Buffer.from(hashOf(token)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
