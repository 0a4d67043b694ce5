import type { OrderRecord, StoredOrder } from "../domain/order/order.ts";
import { linkEndsAt } from "../domain/order/view/order-link-end.ts";
import type { KeySource } from "../runtime/key-ring.ts";
import { linkToken, subjectOfLink } from "./link-tokens.ts";

type GuestOrder = Pick<StoredOrder, "id" | "customer" | "access_token_hash">;

/**
 * The token of the link in an order's mails. It opens this order on any device, as long as `linkEndsAt` allows and the
 * order has not joined an account.
 *
 * @returns null for an account's order, which its owner opens after signing in
 * @throws Unavailable when the key cannot be read
 */
export async function orderLinkToken(order: GuestOrder, keys: KeySource): Promise<string | null> {
  return isOfGuest(order) ? linkToken({ purpose: "order", subject: order.id }, keys) : null;
}

/**
 * Whether a token belongs to the link of this order, and the link has not ended.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function opensByLink(
  record: OrderRecord,
  token: string,
  keys: KeySource,
  now: Date,
): Promise<boolean> {
  if (!isOfGuest(record.order)) return false;
  if ((await subjectOfLink(token, "order", keys, now)) !== record.order.id) return false;
  const end = linkEndsAt(record);
  return end === null || now < end;
}

function isOfGuest({ customer, access_token_hash }: GuestOrder): boolean {
  return customer.id === null && access_token_hash !== null;
}
