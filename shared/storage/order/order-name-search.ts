import type * as z from "zod";
import { nameWordsOf } from "../../domain/order/order-names.ts";
import type { OrderRow } from "../../domain/order/view/order-row.ts";
import { mostSelective, searchNames } from "../name-search.ts";
import { type OrderSearch, wholeRows } from "./order-lists.ts";
import { OrdersOfName, namePlace, namesBeginning } from "./order-names.ts";
import { OrderListRows } from "./orders.ts";
import type { StorageKey } from "../pages.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

type NameOfOrder = z.output<typeof OrdersOfName.schema>;

/** The rows that a search for these words reads. */
export const nameRange = (prefixes: readonly string[]) => namesBeginning(mostSelective(prefixes));

/**
 * One page of the orders whose names contain these words or words that begin with them; within a word the newest come
 * first.
 *
 * @param prefixes at least one word
 * @param page.after where the previous page ended
 */
export function searchByName(
  table: Table,
  prefixes: readonly string[],
  { from, until, matches }: Omit<OrderSearch, "range">,
  page: { limit: number; after: StorageKey | undefined },
): Promise<{ records: OrderRow[]; next: StorageKey | undefined }> {
  const [low, high] = [from?.toISOString() ?? "", until?.toISOString() ?? "~"];
  return searchNames<NameOfOrder, OrderRow>(
    {
      range: namesBeginning,
      list: (range, page) => table.page(OrdersOfName, range, page),
      keyOf: ({ word, order_id: id, placed_at }) => ({
        ...OrdersOfName.key(namePlace(word, { id, placed_at })),
      }),
      read: (rows) => ordersOf(table, rows),
      wordsOf: ({ customer, listed }) => nameWordsOf(customer.name, listed.recipient),
    },
    {
      prefixes,
      isNarrowed: from !== null || until !== null,
      isRowMeant: ({ placed_at }) => placed_at >= low && placed_at < high,
      matches,
    },
    page,
  );
}

async function ordersOf(table: Table, rows: readonly NameOfOrder[]) {
  const { orders } = await table.getMany({
    orders: rows.map(({ order_id: id }) => at(OrderListRows, { id })),
  });
  return wholeRows(table, orders);
}
