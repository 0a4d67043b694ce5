import * as z from "zod";
import {
  type InternationalPhone,
  internationalPhone,
} from "../../domain/contact/international-phone.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { type Condition, absent, atLeast, below, either, every } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

/** The key of a buyer: `email#asha@example.com`, `phone#+919812345678`, `customer#cus_…`. */
export type BuyerKey = `${"email" | "customer"}#${string}` | `phone#${InternationalPhone}`;

/**
 * The keys of a buyer: email and phone as far as they are known and, for a customer, the account.
 *
 * @param country of the store, which is implied in phone numbers without a country code
 */
export function buyerKeys(
  buyer: { id: string | null; email: string | null; phone: string | null },
  country: string,
): BuyerKey[] {
  return [
    ...(buyer.email === null ? [] : [`email#${buyer.email}` as const]),
    ...(buyer.phone === null ? [] : [`phone#${internationalPhone(buyer.phone, country)}` as const]),
    ...(buyer.id === null ? [] : [`customer#${buyer.id}` as const]),
  ];
}

/**
 * The keys under which an order is counted. They are stored, because the key of a phone depends on the store's country,
 * which may have changed since.
 */
export const countedBuyers = ({ counted }: Pick<StoredOrder, "counted">): BuyerKey[] =>
  // `countersOf` stored only keys of buyers here.
  counted.buyers as BuyerKey[];

/** The keys that an open order counts against: the customer's own, or a guest's email and phone. */
export const limitedBuyers = ({ counted }: Pick<StoredOrder, "counted">): BuyerKey[] =>
  // `countersOf` stored only keys of buyers here.
  counted.open as BuyerKey[];

/**
 * The keys under which a buyer's open orders are counted. A customer has one key, so that guests' orders with the same
 * email or phone do not count against the customer.
 */
export const limitingKeys = (keys: readonly BuyerKey[]): BuyerKey[] => {
  const own = keys.filter((key) => key.startsWith("customer#"));
  return own.length > 0 ? own : [...keys];
};

/** The number of orders of one email, phone or customer. */
export const Buyers = entity({
  name: "buyer",
  notExported: "derived",
  schema: z.object({
    orders: z.int().min(0),
    /** The number of orders that wait for payment. */
    pending: z.int().min(0),
    /** The number of open orders that count against the limit of this key. */
    open: z.int().min(0).optional(),
  }),
  key: ({ buyer }: { buyer: BuyerKey }) => ({ pk: `BUYER#${buyer}`, sk: "BUYER" }),
});

/** What one order adds to each counter. */
export interface OrderCount {
  readonly orders: number;
  readonly pending: number;
  readonly open: number;
}

/**
 * Counts a new order.
 *
 * @param limits null for no limit
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

/** Adjusts the counters after a counted order changed its state. */
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
 * Counts orders that were placed under other keys and now belong to this buyer too. Open orders still count against the
 * limit under which they were placed.
 */
export function countJoined(buyer: BuyerKey, joined: Omit<OrderCount, "open">): Write {
  return update(Buyers, { buyer }, { add: { ...joined }, set: { entity: Buyers.name } });
}
