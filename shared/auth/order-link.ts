import type { OrderRecord, StoredOrder } from "../domain/order/order.ts";
import { linkEndsAt } from "../domain/order/view/buyer-order.ts";
import type { KeySource } from "../runtime/key-ring.ts";
import { linkToken, readLinkToken } from "./link-tokens.ts";
import { addressTag } from "./opaque-tokens.ts";

type GuestOrder = Pick<StoredOrder, "id" | "customer" | "access_token_hash">;

/**
 * The token of the link in an order's mails. It opens this order on any device, as long as `linkEndsAt` allows and the
 * order has not joined an account.
 *
 * @returns null for an account's order, which its owner opens after signing in
 * @throws Unavailable when the key cannot be read
 */
export async function orderLinkToken(order: GuestOrder, keys: KeySource): Promise<string | null> {
  if (!isOfGuest(order)) return null;
  const { email } = order.customer;
  const mailedTo = email === null ? {} : { mailedTo: addressTag(email) };
  return linkToken({ purpose: "order", subject: order.id, ...mailedTo }, keys);
}

/**
 * The token of a link that staff pass on to the buyer. It opens the order like a mailed one, but proves no email.
 *
 * @returns null for an account's order
 * @throws Unavailable when the key cannot be read
 */
export const passedOnToken = (order: GuestOrder, keys: KeySource): Promise<string | null> =>
  orderLinkToken({ ...order, customer: { ...order.customer, email: null } }, keys);

interface OpenedLink {
  /** The email that the link proves, because it was mailed to it and the order has it still; null if it proves none. */
  readonly provenEmail: string | null;
}

/**
 * Opens an order by the token of its link; undefined if the token is of another link, or if the link has ended.
 *
 * @throws Unavailable when the keys cannot be read
 */
export async function openOrderByLink(
  record: OrderRecord,
  token: string,
  keys: KeySource,
  now: Date,
): Promise<OpenedLink | undefined> {
  const { order } = record;
  if (!isOfGuest(order)) return undefined;
  const link = await readLinkToken(token, "order", keys, now);
  if (link?.subject !== order.id) return undefined;
  const end = linkEndsAt(record);
  if (end !== null && now >= end) return undefined;
  const { email } = order.customer;
  return { provenEmail: email !== null && link.mailedTo === addressTag(email) ? email : null };
}

function isOfGuest({ customer, access_token_hash }: GuestOrder): boolean {
  return customer.id === null && access_token_hash !== null;
}
