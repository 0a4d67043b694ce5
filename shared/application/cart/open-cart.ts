import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type CartOwner, Carts, isExpired } from "#shared/storage/cart/carts.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";
import type { Table } from "#shared/storage/table.ts";

/** How a request identifies its cart. */
export interface CartCaller {
  readonly actor: Actor;
  readonly headers: { readonly "x-cart-token"?: string | undefined };
  readonly now: Date;
}

/** The caller's cart as read. */
export interface OpenedCart {
  /** Owner of the cart that the caller claims; null if the caller claims none. */
  readonly claim: CartOwner | null;
  /** The stored cart, even if it has expired or an order was placed from it. */
  readonly record: StoredCart | undefined;
  /** The stored cart, unless it has expired or an order was placed from it. */
  readonly cart: StoredCart | undefined;
  /** Id of the order placed from the cart. */
  readonly convertedTo: string | null;
  readonly settings: Settings;
}

export function ownerOf({ actor, headers }: Omit<CartCaller, "now">): CartOwner | null {
  if (actor.kind === "customer") return { kind: "customer", id: actor.id };
  const token = headers["x-cart-token"];
  return token ? { kind: "guest", tokenHash: hashOf(token) } : null;
}

/** Reads the cart and the settings in one step. */
export async function openCart(
  call: CartCaller,
  { table, settings }: { readonly table: Table; readonly settings: SettingsStore },
): Promise<OpenedCart> {
  const claim = ownerOf(call);
  const [record, currentSettings] = await Promise.all([
    claim ? table.get(Carts, { owner: claim }) : undefined,
    settings.current(),
  ]);
  return { claim, ...currentCart(record, call.now), settings: currentSettings };
}

/** The stored cart, if it can still be used, and the order that was placed from it. */
export function currentCart(
  record: StoredCart | undefined,
  now: Date,
): Pick<OpenedCart, "record" | "cart" | "convertedTo"> {
  const current = record && !isExpired(record, now) ? record : undefined;
  return {
    record,
    cart: current?.status === "active" ? current : undefined,
    convertedTo: current?.order_id ?? null,
  };
}
