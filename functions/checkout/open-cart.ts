import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { Card } from "#shared/domain/catalog/card.ts";
import type { LineChange, NewLine } from "#shared/domain/cart/cart-input.ts";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import type { PublishedSofa } from "#shared/domain/sofa/sofa.ts";
import type { Stock } from "#shared/domain/catalog/stock.ts";
import type { Actor } from "#shared/domain/request/identity.ts";
import { type CartOwner, Carts, isExpired } from "#shared/storage/cart/carts.ts";
import { Cards, PublishedSofas, Stocks } from "#shared/storage/catalog/catalog.ts";
import { byName } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Deps } from "./deps.ts";

/** How a request identifies its cart. */
export interface CartCaller {
  readonly actor: Actor;
  readonly headers: { readonly "x-cart-token"?: string | undefined };
  readonly now: Date;
}

/** The catalog records that new lines name. */
export interface NamedItems {
  /** By SKU. */
  readonly stock: ReadonlyMap<string, Stock>;
  /** By slug. */
  readonly sofas: ReadonlyMap<string, PublishedSofa>;
  /** By the sofa's id. */
  readonly cards: ReadonlyMap<string, Card>;
}

/** The caller's cart as read. */
export interface OpenedCart {
  /** Owner of the cart that the caller claims; null if the caller claims none. */
  readonly claim: CartOwner | null;
  /** The stored record, even if it is converted or expired. */
  readonly record: StoredCart | undefined;
  /** The record, unless it is converted or expired. */
  readonly cart: StoredCart | undefined;
  /** Id of the order placed from the cart. */
  readonly convertedTo: string | null;
  readonly named: NamedItems;
  readonly settings: Settings;
}

export function ownerOf({ actor, headers }: Omit<CartCaller, "now">): CartOwner | null {
  if (actor.kind === "customer") return { kind: "customer", id: actor.id };
  const token = headers["x-cart-token"];
  return token ? { kind: "guest", tokenHash: hashOf(token) } : null;
}

/** Reads the cart, the records that new lines name, and the settings in one step. */
export async function openCart(
  call: CartCaller,
  { table, settings }: Pick<Deps, "table" | "settings">,
  items: readonly (NewLine | LineChange)[] = [],
): Promise<OpenedCart> {
  const claim = ownerOf(call);
  const skus = items.flatMap((item) => (item.kind === "sku" ? item.sku : []));
  const sofas = items.flatMap((item) => (item.kind === "sofa" ? item.sofa : []));
  const [found, currentSettings] = await Promise.all([
    table.getMany({
      cart: claim ? [at(Carts, { owner: claim })] : [],
      stock: skus.map((sku) => at(Stocks, { sku })),
      sofas: sofas.filter((name) => !isId(name)).map((slug) => at(PublishedSofas, { slug })),
      cards: sofas.filter(isId).map((id) => at(Cards, { id })),
    }),
    settings.current(),
  ]);
  return {
    claim,
    ...cartFound(found.cart[0], call.now),
    named: {
      stock: byName(found.stock, ({ sku }) => sku),
      sofas: byName(found.sofas, ({ slug }) => slug),
      cards: byName(found.cards, ({ id }) => id),
    },
    settings: currentSettings,
  };
}

/** Tells whether a stored cart can still be used, and which order was placed from it. */
export function cartFound(
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

/** Whether a request names a sofa by id. Other ids are not looked up, because the ids of stories have cards too. */
export const isId = (name: string): boolean => name.startsWith("sofa_");
