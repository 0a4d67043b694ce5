import type { Customer } from "../../domain/customer/customer.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import { type BuyerKey, countJoined } from "./buyers.ts";
import { every, is } from "../conditions.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { Orders, OrdersOfBuyer } from "./orders.ts";
import type { StorageKey } from "../pages.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { put, remove, update } from "../writes.ts";

/** The query for a buyer's orders. Cursors are validated against it. */
export const ordersOfBuyer = (buyer: BuyerKey) => ({
  partition: `BUYER#${buyer}`,
  prefix: "ORDER#",
  newestFirst: true,
});

/** One page of the orders of an email, a phone or a customer, newest first. */
export const listOrdersOf = (
  table: Table,
  buyer: BuyerKey,
  page: { limit: number; after?: StorageKey | undefined },
) =>
  table.page(OrdersOfBuyer, ordersOfBuyer(buyer), {
    ...page,
    read: async (rows: readonly { readonly order_id: string }[]) =>
      (await table.getMany({ orders: rows.map(({ order_id: id }) => at(Orders, { id })) })).orders,
  });

/** Orders per transaction. Each takes two writes, and a counter takes one more. */
const ordersAtOnce = 40;

async function eachPage(
  table: Table,
  buyer: BuyerKey,
  work: (orders: readonly StoredOrder[]) => Promise<void>,
): Promise<void> {
  let after: StorageKey | undefined;
  do {
    const read = () => listOrdersOf(table, buyer, { limit: ordersAtOnce, after });
    const page = await read();
    await retryOnConflict(page.records, async () => (await read()).records, work);
    after = page.next;
  } while (after);
}

/**
 * Assigns the guest orders of an email to the customer who has verified it. Orders of other customers and orders that
 * were already assigned do not change. May be called repeatedly and concurrently.
 */
export async function joinGuestOrders(
  table: Table,
  customer: { id: string; email: string },
): Promise<void> {
  const buyer: BuyerKey = `customer#${customer.id}`;
  await eachPage(table, `email#${customer.email}`, async (orders) => {
    const guests = orders.filter(isOfGuest);
    if (guests.length === 0) return;
    const counted = guests.filter(({ status }) => !uncounted.has(status));
    const pending = guests.filter(({ status }) => status === "pending_payment").length;
    await table.transact([
      ...guests.flatMap((order) => joining(order, buyer, customer.id)),
      countJoined(buyer, { orders: counted.length, pending }),
    ]);
  });
}

/**
 * Moves a customer's orders that were placed under an earlier email of the account to the email that the customer has
 * verified. They are found and counted under the earlier one as before. Orders with another email keep it. May be called
 * repeatedly and concurrently.
 */
export async function followEmail(
  table: Table,
  { id, email, earlier_emails }: Pick<Customer, "id" | "email" | "earlier_emails">,
): Promise<void> {
  if (earlier_emails.length === 0) return;
  await eachPage(table, `customer#${id}`, async (orders) => {
    const moved = orders.filter(
      ({ customer }) => customer.email !== null && earlier_emails.includes(customer.email),
    );
    if (moved.length === 0) return;
    await table.transact(
      moved.flatMap(({ id: order_id, placed_at, customer }) => [
        update(
          Orders,
          { id: order_id },
          { set: { "customer.email": email }, add: { version: 1 } },
          every(is("customer.id", id), is("customer.email", customer.email)),
        ),
        put(OrdersOfBuyer, { buyer: `email#${email}` as const, placed_at, order_id }),
      ]),
    );
  });
}

/** Statuses in which an order no longer counts among its buyer's orders. */
const uncounted: ReadonlySet<StoredOrder["status"]> = new Set(["cancelled", "expired"]);

/** Orders of an erased account have no customer either, but guests have an access token. */
const isOfGuest = ({ customer, access_token_hash }: StoredOrder): boolean =>
  customer.id === null && access_token_hash !== null;

function joining(order: StoredOrder, buyer: BuyerKey, customerId: string) {
  const { id, placed_at, status, counted, access_token_hash } = order;
  // An expired order is not counted now, but is counted again if a late payment confirms it.
  const buyers = [...counted.buyers, buyer];
  return [
    update(
      Orders,
      { id },
      {
        set: {
          "customer.id": customerId,
          "counted.buyers": buyers,
          // Otherwise the guest's access token would work again once the account is erased.
          access_token_hash: null,
        },
        add: { version: 1 },
      },
      // The status must be unchanged, because the counters depend on it.
      every(
        is("customer.id", null),
        is("access_token_hash", access_token_hash),
        is("status", status),
      ),
    ),
    put(OrdersOfBuyer, { buyer, placed_at, order_id: id }),
  ];
}

/**
 * Detaches a customer's orders from the account. They stay as orders without an account.
 *
 * @param first runs before each page of orders is detached, and again before a page is retried
 */
export async function detachOrders(
  table: Table,
  customerId: string,
  first: (orders: readonly StoredOrder[]) => Promise<void>,
): Promise<void> {
  const buyer: BuyerKey = `customer#${customerId}`;
  for (;;) {
    const { records: orders } = await listOrdersOf(table, buyer, { limit: ordersAtOnce });
    if (orders.length === 0) return;
    await first(orders);
    await table.transact(
      orders.flatMap(({ id, placed_at }) => [
        update(Orders, { id }, { set: { "customer.id": null }, add: { version: 1 } }),
        remove(OrdersOfBuyer, { buyer, placed_at, order_id: id }),
      ]),
    );
  }
}
