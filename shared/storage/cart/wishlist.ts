import * as z from "zod";
import { WishlistEntry, maxWishes } from "../../domain/cart/wishlist.ts";
import { absent, below, either, isNew, present } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { type TransactionWrite, type Write, put, remove, update } from "../writes.ts";

type OfCustomer = { customer: string };

const entryPrefix = "WISH#";

export const Wishes = entity({
  name: "wish",
  notExported: "personal",
  schema: WishlistEntry,
  key: ({ customer, product_id }: OfCustomer & { product_id: string }) => ({
    pk: partitionOf("customer", customer),
    sk: entryPrefix + product_id,
  }),
});

/** The number of entries, to enforce the limit. */
export const WishCounts = entity({
  name: "wish_count",
  notExported: "derived",
  schema: z.object({ entries: z.int().min(0) }),
  key: ({ customer }: OfCustomer) => ({ pk: partitionOf("customer", customer), sk: "WISHES" }),
});

/** All entries, unordered. */
export async function listWishes(table: Table, customer: string): Promise<WishlistEntry[]> {
  const range = { partition: partitionOf("customer", customer), prefix: entryPrefix };
  return (await table.page(Wishes, range)).records;
}

/**
 * Adds an entry. The write is refused if the entry was added meanwhile.
 *
 * @param full the error if the wishlist is full
 */
export function addWish(
  customer: string,
  entry: WishlistEntry,
  full: () => Error,
): TransactionWrite[] {
  const count = update(
    WishCounts,
    { customer },
    { add: { entries: 1 }, set: { entity: WishCounts.name } },
    either(absent("entries"), below("entries", maxWishes)),
  );
  return [put(Wishes, { customer, ...entry }, isNew), { write: count, refused: full }];
}

/** Replaces the entry's configuration, if the entry still exists. */
export function replaceWish(customer: string, entry: WishlistEntry): Write {
  return put(Wishes, { customer, ...entry }, present("pk"));
}

/** Removes an entry. The write is refused if the entry no longer exists. */
export function removeWish(customer: string, product_id: string): Write[] {
  return [
    remove(Wishes, { customer, product_id }, present("pk")),
    update(WishCounts, { customer }, { add: { entries: -1 } }),
  ];
}
