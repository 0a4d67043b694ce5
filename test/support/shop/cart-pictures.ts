import { type CartOwner, Carts } from "#shared/storage/cart/carts.ts";
import { FabricUploads } from "#shared/storage/upload/fabric-uploads.ts";
import type { Table } from "#shared/storage/table.ts";
import { put } from "#shared/storage/writes.ts";

/** Moves the time of a cart's last write back by one day. */
export async function ageByADay(table: Table, owner: CartOwner): Promise<void> {
  const cart = await table.get(Carts, { owner });
  if (!cart) throw new Error("There is no cart");
  const updated_at = new Date(Date.parse(cart.updated_at) - 86_400_000).toISOString();
  await table.write(put(Carts, { ...cart, updated_at, owner }));
}

/** When an upload expires, in ms since 1970; NaN if it never does or does not exist. */
export async function expiryOf(table: Table, id: string): Promise<number> {
  const upload = await table.get(FabricUploads, { id });
  return Date.parse(upload?.expires_at ?? "");
}
