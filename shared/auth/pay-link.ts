import { createHmac, timingSafeEqual } from "node:crypto";
import type { StoredOrder } from "../domain/order/order.ts";

type GuestOrder = Pick<StoredOrder, "id" | "customer" | "access_token_hash" | "expires_at">;

/**
 * What a mailed link lets a guest pay an order by, on whatever device the mail is read, for as long as the order waits
 * when it is mailed. Its key is the stored hash of the order's own token, which leaves the table for nobody: so a
 * link is kept nowhere, dies with the hash when the order joins an account, and says nothing of the order's token.
 *
 * @returns null where there is nothing that a guest could pay
 */
export function payToken({ expires_at, ...order }: GuestOrder): string | null {
  const key = keyOf(order);
  if (key === null || expires_at === null) return null;
  const until = Math.floor(Date.parse(expires_at) / 1000);
  return `${until}.${proofOf(order.id, until, key)}`;
}

/** Whether a token is a mailed link's of this very order, and its time is not over. */
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

/** An order of an account is paid by whoever signs in. */
const keyOf = ({ customer, access_token_hash }: Omit<GuestOrder, "expires_at">): string | null =>
  customer.id === null ? access_token_hash : null;

const proofOf = (orderId: string, until: number, key: string): string =>
  createHmac("sha256", key).update(`pay ${orderId} until ${until}`).digest("base64url");
