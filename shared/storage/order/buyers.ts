import * as z from "zod";
import {
  type InternationalPhone,
  internationalPhone,
} from "../../domain/contact/international-phone.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { type Condition, absent, atLeast, below, either, every } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

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

/** Under which of these keys it counts as an open order: a customer's own, or a guest's email and phone. */
export const limitedBuyers = ({ counted }: Pick<StoredOrder, "counted">): BuyerKey[] =>
  counted.open as BuyerKey[];

/** The keys that limit how many open orders a buyer has: nobody else's orders count against a customer. */
export const limitingKeys = (keys: readonly BuyerKey[]): BuyerKey[] => {
  const own = keys.filter((key) => key.startsWith("customer#"));
  return own.length > 0 ? own : [...keys];
};

/** How many orders stand under one email, phone or customer. */
export const Buyers = entity({
  name: "buyer",
  schema: z.object({
    orders: z.int().min(0),
    /** Of these, how many hold stock without being paid. */
    pending: z.int().min(0),
    /** How many open orders count against the limit of this key. */
    open: z.int().min(0).optional(),
  }),
  key: ({ buyer }: { buyer: BuyerKey }) => ({ pk: `BUYER#${buyer}`, sk: "BUYER" }),
});

/** What one order counts as. */
export interface OrderCount {
  readonly orders: number;
  readonly pending: number;
  readonly open: number;
}

/**
 * Counts a new order.
 *
 * @param limits null: any number
 */
export function countOrder(
  buyer: BuyerKey,
  count: OrderCount,
  limits: { readonly open: number | null; readonly orders: number | null },
): Write {
  const bounds = Object.entries(limits).flatMap(([member, limit]): Condition[] =>
    limit === null ? [] : [either(absent(member), below(member, limit))],
  );
  return update(
    Buyers,
    { buyer },
    { add: { ...count }, set: { entity: Buyers.name } },
    bounds.length > 0 ? every(...bounds) : undefined,
  );
}

/** Follows an order that was counted and has changed its state: by how much it counts more, or less. */
export function shiftOrders(buyer: BuyerKey, by: OrderCount): Write {
  const bounds = Object.entries(by).flatMap(([member, shift]) =>
    shift < 0 ? [atLeast(member, -shift)] : [],
  );
  return update(
    Buyers,
    { buyer },
    { add: { ...by }, set: { entity: Buyers.name } },
    bounds.length > 0 ? every(...bounds) : undefined,
  );
}

/**
 * Counts orders that were placed under other keys and have become this buyer's too. Those that are open stay with the
 * limit they were placed under.
 */
export function countJoined(buyer: BuyerKey, joined: Omit<OrderCount, "open">): Write {
  return update(Buyers, { buyer }, { add: { ...joined }, set: { entity: Buyers.name } });
}
