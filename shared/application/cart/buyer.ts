import type { Buyer } from "#shared/application/cart/cart-facts.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { buyerKeys } from "#shared/storage/order/buyers.ts";

/**
 * The buyer as coupon rules see it: the customer, email and phone.
 *
 * @param contact the email and phone, which are known only at checkout, and the store's country, which is assumed for
 *   phone numbers without a country code
 */
export function buyerOf(
  actor: Actor,
  contact?: { email: string; phone: string; country: string },
): Buyer {
  const id = actor.kind === "customer" ? actor.id : null;
  if (contact)
    return { signed_in: id !== null, keys: buyerKeys({ id, ...contact }, contact.country) };
  return { signed_in: id !== null, keys: id === null ? [] : [`customer#${id}`] };
}
