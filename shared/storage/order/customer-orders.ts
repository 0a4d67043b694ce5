import type { StoredOrder } from "../../domain/order/order.ts";
import { type BuyerKey, countJoined } from "./buyers.ts";
import { every, is } from "../conditions.ts";
import { retryOnConflict } from "../on-fresh.ts";
import { Orders, OrdersOfBuyer } from "./orders.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { put, remove, update } from "../writes.ts";

type StorageKey = Record<string, unknown>;

/** What a list of a buyer's orders reads; cursors are checked against it. */
export const ordersOfBuyer = (buyer: BuyerKey) => ({
  partition: `BUYER#${buyer}`,
  prefix: "ORDER#",
});

interface OrderPage {
  orders: StoredOrder[];
  next: StorageKey | undefined;
}

/** One page of the orders under an email, a phone or a customer, newest first. */
export async function listOrdersOf(
  table: Table,
  buyer: BuyerKey,
  page: { limit: number; after?: StorageKey | undefined },
): Promise<OrderPage> {
  const { records, next } = await table.query(OrdersOfBuyer, {
    ...ordersOfBuyer(buyer),
    ...page,
    newestFirst: true,
  });
  if (records.length === 0) return { orders: [], next };
  const { orders } = await table.getMany({
    orders: records.map(({ order_id }) => at(Orders, { id: order_id })),
  });
  return { orders: orders.filter((order) => order !== undefined), next };
}

/** With two writes for each and a counter, a transaction's worth. */
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
    await retryOnConflict(page.orders, async () => (await read()).orders, work);
    after = page.next;
  } while (after);
}

/**
 * Makes the orders that guests placed with an email those of the customer who has proven to be its owner. Orders of
 * other customers stay theirs, and those that have joined before are left alone: it may be repeated, and run twice at once.
 */
export async function joinGuestOrders(
  table: Table,
  customer: { id: string; email: string },
): Promise<void> {
  const buyer: BuyerKey = `customer#${customer.id}`;
  await eachPage(table, `email#${customer.email}`, async (orders) => {
    const guests = orders.filter((order) => order.customer.id === null);
    if (guests.length === 0) return;
    const counted = guests.filter(({ status }) => !uncounted.has(status));
    const pending = guests.filter(({ status }) => status === "pending_payment").length;
    await table.transact([
      ...guests.flatMap((order) => joining(order, buyer, customer.id)),
      countJoined(buyer, { orders: counted.length, pending }),
    ]);
  });
}

/** Orders that count no more among those of their buyers. */
const uncounted: ReadonlySet<StoredOrder["status"]> = new Set(["cancelled", "expired"]);

function joining(order: StoredOrder, buyer: BuyerKey, customerId: string) {
  const { id, placed_at, status, counted } = order;
  // One that counts no more is counted again if it is revived.
  const buyers = [...counted.buyers, buyer];
  return [
    update(
      Orders,
      { id },
      {
        set: {
          "customer.id": customerId,
          "counted.buyers": buyers,
          // What guests prove it with would count again once the account is erased.
          access_token_hash: null,
        },
        add: { version: 1 },
      },
      // Its state decides what is counted.
      every(is("customer.id", null), is("status", status)),
    ),
    put(OrdersOfBuyer, { buyer, placed_at, order_id: id }),
  ];
}

/**
 * Takes a customer's orders off the account: they stay, as orders of nobody who can sign in.
 *
 * @param first what is done about the orders of a page before, and again when that was not brought to its end
 */
export async function detachOrders(
  table: Table,
  customerId: string,
  first: (orders: readonly StoredOrder[]) => Promise<void>,
): Promise<void> {
  const buyer: BuyerKey = `customer#${customerId}`;
  for (;;) {
    const { orders } = await listOrdersOf(table, buyer, { limit: ordersAtOnce });
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
