import type { OrderRow } from "../../domain/order/order-row.ts";
import { hasEveryPrefix, nameWordsOf } from "../../domain/order/order-names.ts";
import { type OrderSearch, wholeRows } from "./order-lists.ts";
import { OrdersOfName, namePlace, namesBeginning } from "./order-names.ts";
import { OrderListRows } from "./orders.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

type StorageKey = Record<string, unknown>;

/** The read limits of one page. The cursor continues after the last row that was read. */
const mostRows = 600;
const mostOrders = 200;
/** Rows per query of a search that is narrowed by dates or further words, so that many rows may not match. */
const rowsAtOnce = 100;
/** Minimum number of orders that are read together, because some may not match. */
const leastAtOnce = 25;

/** The longest word is the most selective: its rows are read, and the other words are matched against them. */
export function nameRange(prefixes: readonly string[]) {
  const [longest = ""] = prefixes.toSorted((one, other) => other.length - one.length);
  return namesBeginning(longest);
}

/**
 * One page of the orders whose names contain these words or words that begin with them. Exact matches of the longest
 * word come first, then longer words; within a word the newest come first. The cost does not grow with the number of
 * orders: if few match, a page may be short or empty while `next` says that there are more.
 *
 * @param prefixes at least one word
 * @param after where the previous page ended
 */
export async function searchByName(
  table: Table,
  prefixes: readonly string[],
  { from, until, matches }: Omit<OrderSearch, "range">,
  { limit, after }: { limit: number; after: StorageKey | undefined },
): Promise<{ orders: OrderRow[]; next: StorageKey | undefined }> {
  const range = nameRange(prefixes);
  const [low, high] = [from?.toISOString() ?? "", until?.toISOString() ?? "~"];
  const isNarrowed = prefixes.length > 1 || from !== null || until !== null;
  const ordersAtOnce = Math.max(limit + 1, leastAtOnce);
  const orders: OrderRow[] = [];
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
        hasEveryPrefix(words, prefixes) &&
        // An order with two words of this prefix has two rows here.
        word === words.find((each) => each.startsWith(range.prefix)),
    );
    rowsRead += page.records.length;
    for (let start = 0; start < rows.length; start += ordersAtOnce) {
      if (ordersRead >= mostOrders) return { orders, next: position };
      const some = rows.slice(start, start + ordersAtOnce);
      ordersRead += some.length;
      const found = await table.getMany({
        orders: some.map(({ order_id }) => at(OrderListRows, { id: order_id })),
      });
      const rowsFound = await wholeRows(
        table,
        found.orders.filter((order) => order !== undefined),
      );
      const byId = new Map(rowsFound.map((order) => [order.id, order]));
      for (const { word, order_id: id, placed_at } of some) {
        if (orders.length === limit) return { orders, next: position };
        position = { ...OrdersOfName.key(namePlace(word, { id, placed_at })) };
        const order = byId.get(id);
        // The rows may lag behind a change of the name.
        const words = order && nameWordsOf(order.customer.name, order.listed.recipient);
        if (words && hasEveryPrefix(words, prefixes) && matches(order)) orders.push(order);
      }
    }
    position = page.next;
  } while (position && orders.length < limit && rowsRead < mostRows && ordersRead < mostOrders);
  return { orders, next: position };
}
