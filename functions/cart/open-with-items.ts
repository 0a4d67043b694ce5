import type { LineChange, NewLine } from "#shared/domain/cart/cart-input.ts";
import {
  type CartCaller,
  type OpenedCart,
  cartFound,
  ownerOf,
} from "#shared/application/cart/open-cart.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { factReads } from "#shared/storage/catalog/published-facts.ts";
import { at } from "#shared/storage/reads.ts";
import type { Deps } from "./deps.ts";
import { draftLines } from "./draft-lines.ts";

/**
 * Reads the cart, and in the same request the latest records of the new items, which `catalogReads.current` then
 * reuses. Which records those are follows from `current`; if it is outdated, later reads find what is missing.
 */
export async function openWithItems(
  call: CartCaller,
  items: readonly (NewLine | LineChange)[],
  { catalogReads, settings }: Deps,
): Promise<OpenedCart> {
  const claim = ownerOf(call);
  const readTogether = async () =>
    catalogReads.latest({
      carts: claim ? [at(Carts, { owner: claim })] : [],
      ...factReads(await newLines(call, items, catalogReads.current)),
    });
  const [{ carts }, currentSettings] = await Promise.all([readTogether(), settings.current()]);
  return { claim, ...cartFound(carts[0], call.now), settings: currentSettings };
}

/** The lines of the valid new items. Invalid items are refused when the cart is saved. */
async function newLines(
  { now }: CartCaller,
  items: readonly (NewLine | LineChange)[],
  current: Deps["catalogReads"]["current"],
) {
  const added = items.filter(({ kind }) => kind !== "change");
  try {
    return (await draftLines(current, [], added, now)).map(({ line }) => line);
  } catch {
    return [];
  }
}
