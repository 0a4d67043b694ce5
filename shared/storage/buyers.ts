import * as z from "zod";
import { type InternationalPhone, internationalPhone } from "../domain/international-phone.ts";
import type { StoredOrder } from "../domain/order.ts";
import { type Condition, absent, atLeast, below, either, every } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, update } from "./writes.ts";

/** What somebody who buys is known by: `email#asha@example.com`, `phone#+919812345678`, `customer#cus_…`. */
export type BuyerKey = `${"email" | "customer"}#${string}` | `phone#${InternationalPhone}`;

/** @param country of the store, whose phones are written without the country's code */
export function buyerKeys(
  buyer: { id: string | null; email: string; phone: string },
  country: string,
): BuyerKey[] {
  const phone = internationalPhone(buyer.phone, country);
  const keys: BuyerKey[] = [`email#${buyer.email}`, `phone#${phone}`];
  return buyer.id === null ? keys : [...keys, `customer#${buyer.id}`];
}

/** Under which keys an order was counted when it was placed, and has been since: the store's country may have changed. */
export const countedBuyers = ({ counted }: Pick<StoredOrder, "counted">): BuyerKey[] =>
  counted.buyers as BuyerKey[];

/** How many orders stand under one email, phone or customer. */
export const Buyers = entity({
  name: "buyer",
  schema: z.object({
    orders: z.int().min(0),
    /** Of these, how many hold stock without being paid. */
    pending: z.int().min(0),
  }),
  key: ({ buyer }: { buyer: BuyerKey }) => ({ pk: `BUYER#${buyer}`, sk: "BUYER" }),
});

/**
 * Counts a new order.
 *
 * @param limits.pending of unpaid orders; null: this order is not one of them
 * @param limits.orders of orders in all; null: any number
 */
export function countOrder(
  buyer: BuyerKey,
  limits: { pending: number | null; orders: number | null },
): Write {
  const bounds = Object.entries(limits).flatMap(([member, limit]): Condition[] =>
    limit === null ? [] : [either(absent(member), below(member, limit))],
  );
  return update(
    Buyers,
    { buyer },
    {
      add: { orders: 1, pending: limits.pending === null ? 0 : 1 },
      set: { entity: Buyers.name },
    },
    bounds.length > 0 ? every(...bounds) : undefined,
  );
}

/** Follows an order that was counted and has changed its state: by how much it counts more, or less. */
export function shiftOrders(buyer: BuyerKey, by: { orders: number; pending: number }): Write {
  const bounds = Object.entries(by).flatMap(([member, shift]) =>
    shift < 0 ? [atLeast(member, -shift)] : [],
  );
  return update(
    Buyers,
    { buyer },
    { add: by, set: { entity: Buyers.name } },
    bounds.length > 0 ? every(...bounds) : undefined,
  );
}

/** Counts orders that were placed under other keys and have become this buyer's too. */
export function countJoined(buyer: BuyerKey, joined: { orders: number; pending: number }): Write {
  return update(Buyers, { buyer }, { add: joined, set: { entity: Buyers.name } });
}
