import type { StoredCartLine } from "#shared/domain/cart/cart.ts";
import type { CartOwner } from "#shared/storage/cart/carts.ts";

/**
 * The lines of the carts that this function has last shown or stored. They tell which records a change of the cart
 * will need, so that they are read together with the cart; other functions may have changed the cart since.
 */
export interface LastLines {
  of(owner: CartOwner): readonly StoredCartLine[];
  keep(owner: CartOwner, lines: readonly StoredCartLine[]): void;
}

const mostCarts = 500;

export function openLastLines(): LastLines {
  const known = new Map<string, readonly StoredCartLine[]>();
  const nameOf = (owner: CartOwner) => (owner.kind === "guest" ? owner.tokenHash : owner.id);
  return {
    of: (owner) => known.get(nameOf(owner)) ?? [],
    keep(owner, lines) {
      if (known.size >= mostCarts) known.clear();
      known.set(nameOf(owner), lines);
    },
  };
}
