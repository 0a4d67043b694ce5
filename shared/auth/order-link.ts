import { createHmac, timingSafeEqual } from "node:crypto";
import type { OrderRecord, StoredOrder } from "../domain/order/order.ts";
import { linkEndsAt } from "../domain/order/order-link-end.ts";

type GuestOrder = Pick<StoredOrder, "id" | "customer" | "access_token_hash">;

/**
 * The token of the link in an order's mails. It opens this order on any device, as long as `linkEndsAt` allows. It is
 * signed with the stored hash of the order's access token, which never leaves the table and is deleted when the order
 * joins an account. So links need not be stored, end with that, and reveal nothing of the access token.
 *
 * @returns null for an account's order, which its owner opens after signing in
 */
export function orderLinkToken({ id, customer, access_token_hash }: GuestOrder): string | null {
  if (customer.id !== null || access_token_hash === null) return null;
  return createHmac("sha256", access_token_hash).update(`link of order ${id}`).digest("base64url");
}

/** Whether a token belongs to the link of this order, and the link has not ended. */
export function opensByLink(record: OrderRecord, token: string, now: Date): boolean {
  const expected = orderLinkToken(record.order);
  if (expected === null) return false;
  const [sent, own] = [Buffer.from(token), Buffer.from(expected)];
  if (sent.length !== own.length || !timingSafeEqual(sent, own)) return false;
  const end = linkEndsAt(record);
  return end === null || now < end;
}
