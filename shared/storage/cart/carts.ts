import { StoredCart } from "../../domain/cart/cart.ts";
import { every, is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, put, remove, update } from "../writes.ts";

/** The owner of a cart: a guest, identified by the hash of the cart's token, or a customer, identified by id. */
export type CartOwner =
  | { readonly kind: "guest"; readonly tokenHash: string }
  | { readonly kind: "customer"; readonly id: string };

export const Carts = entity({
  name: "cart",
  notExported: "personal",
  schema: StoredCart,
  key: ({ owner }: { owner: CartOwner }) => ({
    pk: owner.kind === "guest" ? `CART#${owner.tokenHash}` : `CUSTOMER#${owner.id}`,
    sk: "CART",
  }),
  patterns: {
    table: [
      ["CART#<hash of the token>", "CART"],
      ["CUSTOMER#<customer>", "CART"],
    ],
  },
  ttl: ({ expires_at }) => Math.ceil(Date.parse(expires_at) / 1000),
});

/**
 * Stores a cart, if the stored cart is unchanged since it was read.
 *
 * @param before the cart that was read; undefined if there was none
 */
export function putCart(owner: CartOwner, cart: StoredCart, before: StoredCart | undefined): Write {
  return put(Carts, { ...cart, owner }, before ? is("version", before.version) : isNew);
}

/** Deletes the cart, if it is unchanged since it was read. */
export const removeCart = (owner: CartOwner, cart: StoredCart): Write =>
  remove(Carts, { owner }, is("version", cart.version));

/** Converts an active cart into an order, if the cart is unchanged since it was read. */
export function convertCart(
  owner: CartOwner,
  cart: StoredCart,
  { orderId, email, now }: { orderId: string; email: string; now: Date },
): Write {
  return update(
    Carts,
    { owner },
    {
      set: {
        status: "converted",
        order_id: orderId,
        email,
        version: cart.version + 1,
        updated_at: now.toISOString(),
      },
    },
    every(is("status", "active"), is("version", cart.version)),
  );
}

/** Marks a guest's cart as merged into a customer's, if it is active and unchanged since it was read. */
export function mergeAway(owner: CartOwner, cart: StoredCart, now: Date): Write {
  return update(
    Carts,
    { owner },
    { set: { status: "merged", version: cart.version + 1, updated_at: now.toISOString() } },
    every(is("status", "active"), is("version", cart.version)),
  );
}

/** Whether a cart has expired. DynamoDB deletes expired carts with a delay. */
export const isExpired = ({ expires_at }: StoredCart, now: Date): boolean =>
  Date.parse(expires_at) <= now.getTime();
