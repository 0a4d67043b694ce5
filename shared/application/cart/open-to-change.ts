import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import type { LineChange, NewLine } from "#shared/domain/cart/cart-input.ts";
import type { StoredCartLine } from "#shared/domain/cart/cart.ts";
import { type CartCaller, type OpenedCart, currentCart, ownerOf } from "./read-cart.ts";
import { Carts, type CartOwner } from "#shared/storage/cart/carts.ts";
import { SkuClaims } from "#shared/storage/catalog/catalog.ts";
import { factReads } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";
import { draftLines } from "./draft-lines.ts";

/** A cart that a request changes. */
export interface CartToChange extends OpenedCart {
  /** Reads each record of the catalog at most once, and none from before this request. */
  readonly reads: Table["getMany"];
}

/**
 * Reads the cart, and in the same request the catalog records that its new content probably needs: those of the lines
 * that it had last, and of the new items as they were read last. `reads` then reads only what was not foreseen.
 */
export async function openToChange(
  call: CartCaller,
  items: readonly (NewLine | LineChange)[],
  {
    catalogReads,
    lastLines,
    settings,
  }: Shop<"catalogReads" | "lastLines" | "settings", CommerceGroup>,
): Promise<CartToChange> {
  const claim = ownerOf(call);
  const { latest, current } = catalogReads.ofRequest();
  const lines = claim ? lastLines.of(claim) : [];
  const readTogether = async () =>
    latest({
      carts: claim ? [at(Carts, { owner: claim })] : [],
      claims: items.flatMap((item) => (item.kind === "sku" ? at(SkuClaims, item) : [])),
      ...factReads([...lines, ...(await newLines(call, items, catalogReads.current))]),
    });
  const [{ carts }, currentSettings] = await Promise.all([readTogether(), settings.current()]);
  const opened = currentCart(carts[0], call.now);
  return { claim, ...opened, settings: currentSettings, reads: current };
}

/** The lines of the new items, or none if one is invalid. */
async function newLines(
  { now }: CartCaller,
  items: readonly (NewLine | LineChange)[],
  getMany: Table["getMany"],
): Promise<StoredCartLine[]> {
  const added = items.filter(({ kind }) => kind !== "change");
  try {
    return (await draftLines(getMany, [], added, { now })).map(({ line }) => line);
  } catch {
    // What failed here fails again when the cart is saved.
    return [];
  }
}

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
