import type { StoredOrder } from "../../domain/order/order.ts";
import { bears, nameWordsOf } from "../../domain/order/order-names.ts";
import type { OrderSearch } from "./order-lists.ts";
import { OrdersOfName, namePlace, namesBeginning } from "./order-names.ts";
import { Orders } from "./orders.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

type StorageKey = Record<string, unknown>;

/** What one page may cost. What it did not get to is behind its cursor. */
const mostRows = 600;
const mostOrders = 200;
/** Read in one go where not every row is an order of the page. */
const rowsAtOnce = 100;
/** Read in one go however short the page: not every row need count. */
const leastAtOnce = 25;

/** The longest of the words says most: its rows are read, and the others are looked for in them. */
export function nameRange(asked: readonly string[]) {
  const [longest = ""] = asked.toSorted((one, other) => other.length - one.length);
  return namesBeginning(longest);
}

/**
 * One page of the orders by the words of their names, or what these begin with: those that bear the longest word whole
 * come before those whose word goes on, the newest of a word first. However many orders there are, a page costs no
 * more: where few match it may be short, or empty, while there is more behind `next`.
 *
 * @param asked at least one
 * @param after where the page before ended
 */
export async function searchByName(
  table: Table,
  asked: readonly string[],
  { from, until, matches }: Omit<OrderSearch, "range">,
  { limit, after }: { limit: number; after: StorageKey | undefined },
): Promise<{ orders: StoredOrder[]; next: StorageKey | undefined }> {
  const range = nameRange(asked);
  const [low, high] = [from?.toISOString() ?? "", until?.toISOString() ?? "~"];
  const isNarrowed = asked.length > 1 || from !== null || until !== null;
  const ordersAtOnce = Math.max(limit + 1, leastAtOnce);
  const orders: StoredOrder[] = [];
  let position = after;
  let [rowsRead, ordersRead] = [0, 0];
  do {
    const page = await table.query(OrdersOfName, {
      ...range,
      limit: isNarrowed ? rowsAtOnce : ordersAtOnce,
      after: position,
    });
    const rows = page.records.filter(
      ({ word, words, placed_at }) =>
        placed_at >= low &&
        placed_at < high &&
        bears(words, asked) &&
        // An order with two words that begin so has two rows here.
        word === words.find((each) => each.startsWith(range.prefix)),
    );
    rowsRead += page.records.length;
    for (let start = 0; start < rows.length; start += ordersAtOnce) {
      if (ordersRead >= mostOrders) return { orders, next: position };
      const some = rows.slice(start, start + ordersAtOnce);
      ordersRead += some.length;
      const found = await table.getMany({
        orders: some.map(({ order_id }) => at(Orders, { id: order_id })),
      });
      for (const [place, { word, order_id: id, placed_at }] of some.entries()) {
        if (orders.length === limit) return { orders, next: position };
        position = { ...OrdersOfName.key(namePlace(word, { id, placed_at })) };
        const order = found.orders[place];
        // The rows may lag behind a change of the name.
        if (order && bears(nameWordsOf(order), asked) && matches(order)) orders.push(order);
      }
    }
    position = page.next;
  } while (position && orders.length < limit && rowsRead < mostRows && ordersRead < mostOrders);
  return { orders, next: position };
}
