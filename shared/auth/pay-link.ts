import { createHmac, timingSafeEqual } from "node:crypto";
import type { StoredOrder } from "../domain/order/order.ts";

type GuestOrder = Pick<StoredOrder, "id" | "customer" | "access_token_hash" | "expires_at">;

/**
 * The token of a mailed payment link. It lets a guest pay on any device, until the expiry that the order had when the
 * link was mailed. It is signed with the stored hash of the order's access token, which never leaves the table. So
 * links need not be stored, become invalid when the order is added to an account, and reveal nothing of the access
 * token.
 *
 * @returns null for an account's order, and for an order that does not expire
 */
export function payToken({ expires_at, ...order }: GuestOrder): string | null {
  const key = keyOf(order);
  if (key === null || expires_at === null) return null;
  const until = Math.floor(Date.parse(expires_at) / 1000);
  return `${until}.${proofOf(order.id, until, key)}`;
}

/** Whether a token belongs to a payment link of this order and has not expired. */
export function opensPayment(
  order: Omit<GuestOrder, "expires_at">,
  token: string,
  now: Date,
): boolean {
  const key = keyOf(order);
  const [, until = "", proof = ""] = /^([1-9]\d{0,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (key === null || Number(until) * 1000 <= now.getTime()) return false;
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(order.id, Number(until), key)));
}

/** The key that signs the order's payment links; null for an account's order, which its owner pays after signing in. */
const keyOf = ({ customer, access_token_hash }: Omit<GuestOrder, "expires_at">): string | null =>
  customer.id === null ? access_token_hash : null;

const proofOf = (orderId: string, until: number, key: string): string =>
  createHmac("sha256", key).update(`pay ${orderId} until ${until}`).digest("base64url");
