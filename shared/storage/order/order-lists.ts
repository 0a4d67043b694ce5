import type * as z from "zod";
import { parseOrderNumber } from "../../domain/order/order-number.ts";
import { type OrderRow, orderRow } from "../../domain/order/view/order-row.ts";
import type { OrderStatus } from "../../domain/order/status/order-states.ts";
import type { BuyerKey } from "./buyers.ts";
import { monthOf, monthsWithOrders } from "./order-months.ts";
import { OrderListRows, OrderNumbers, Orders, OrdersOfBuyer, isOpen } from "./orders.ts";
import { OrdersNeedingAttention } from "./orders-needing-attention.ts";
import { at } from "../reads.ts";
import type { QueryOptions, Table } from "../table.ts";

/** The index range that an order search reads. */
export type OrderRange =
  | { readonly kind: "month" }
  | { readonly kind: "open"; readonly status: OrderStatus }
  | { readonly kind: "to_see" }
  | { readonly kind: "buyer"; readonly buyer: BuyerKey };

/** The narrowest range that holds every order of a status. Closed orders are listed only by month. */
export const rangeOfStatus = (status: OrderStatus | undefined): OrderRange =>
  status !== undefined && isOpen(status) ? { kind: "open", status } : { kind: "month" };

export interface OrderSearch {
  readonly range: OrderRange;
  /** Placed at or after this time. */
  readonly from: Date | null;
  /** Placed before this time. */
  readonly until: Date | null;
  /** Default: newest first. */
  readonly oldestFirst?: boolean;
  matches(order: OrderRow): boolean;
}

/** A position in a list of orders: the last order returned, or a month that was read to its end. */
export const orderPosition = /^\d{4}-\d{2}(?:-\d{2}T[\d:.]{12}Z#ord_[0-9A-Z]{26})?$/;

/** The read limits of one page. The cursor continues after the last order that was read. */
const mostQueries = 12;
const mostOrders = 200;

/** Bounds below and above all sort keys of orders. */
const [lowest, highest] = ["0", "~"];

/**
 * One page of orders, by default newest first. The cost does not grow with the number of orders: if few match, a page may be short
 * or empty while `next` says that there are more. The newest month is read first, or the oldest one; afterwards, each
 * round reads twice as many months that have orders. If a month has more orders than were read, the next round reads this month alone. So a
 * shop with few orders needs few rounds, and a shop with many orders reads little beyond the page.
 *
 * @param after where the previous page ended
 */
export async function searchOrders(
  table: Table,
  search: OrderSearch,
  { limit, after, now }: { limit: number; after: string | undefined; now: Date },
): Promise<{ orders: OrderRow[]; next: string | null }> {
  const { range, oldestFirst = false } = search;
  const orders: OrderRow[] = [];
  const low = search.from?.toISOString() ?? lowest;
  const high = search.until?.toISOString() ?? highest;
  const known = range.kind === "month" ? monthsWithOrders(table) : [""];
  // It is awaited after the first round, which may fail before.
  Promise.resolve(known).catch(() => undefined);
  let position = after;
  let read = 0;
  let together = 1;
  for (let queries = 0; queries < mostQueries && read < mostOrders;) {
    const affordable = Math.ceil((mostOrders - read) / (limit + 1));
    const most = Math.min(together, affordable, mostQueries - queries);
    const first = firstMonth(position, search, now);
    const months = first ?? monthsBeyond(position, search, await known, now).slice(0, most);
    if (months.length === 0) return { orders, next: null };
    const pages = await Promise.all(
      months.map((month, ahead) => {
        const reached = ahead === 0 && position?.includes("#") ? position : undefined;
        return readRange(table, range, {
          month,
          low: (oldestFirst ? reached : undefined) ?? low,
          high: (oldestFirst ? undefined : reached) ?? high,
          oldestFirst,
          // One more, because the last order of the previous page is read again.
          limit: limit + 1,
        });
      }),
    );
    queries += pages.length;
    together *= 2;
    for (const page of pages) read += page.orders.length;
    for (const [ahead, page] of pages.entries()) {
      for (const order of page.orders) {
        const place = placeOf(order);
        if (place === position) continue;
        position = place;
        if (search.matches(order)) orders.push(order);
        if (orders.length === limit) return { orders, next: position };
      }
      if (page.more) {
        // The remaining orders of this month come before all further months, so the next round reads this month alone.
        together = 1;
        break;
      }
      if (range.kind !== "month") return { orders, next: null };
      position = months[ahead] ?? "";
    }
  }
  return { orders, next: position ?? null };
}

/**
 * The range that a list begins in: the newest month, or the rest of the month in which the previous page ended.
 * Undefined if the position is a month that was read to its end, and for a list that begins with the oldest month.
 */
function firstMonth(
  position: string | undefined,
  { range, until, oldestFirst }: OrderSearch,
  now: Date,
): string[] | undefined {
  if (range.kind !== "month") return [""];
  if (position?.includes("#")) return [monthOf(position)];
  if (position !== undefined || oldestFirst) return undefined;
  return [monthOf(until && until < now ? until : now)];
}

/** The months with orders beyond a month that was read to its end, in the order of the list. */
function monthsBeyond(
  position: string | undefined,
  { from, until, oldestFirst }: OrderSearch,
  known: readonly string[],
  now: Date,
): string[] {
  const least = from ? monthOf(from) : lowest;
  if (!oldestFirst) {
    return known.filter((month) => month < (position ?? highest) && month >= least);
  }
  const most = until ? monthOf(until) : highest;
  // The first order of a month is there before its month is known.
  return [...new Set([...known, monthOf(now)])]
    .toSorted()
    .filter((month) => month > (position ?? lowest) && month >= least && month <= most);
}

const placeOf = ({ placed_at, id }: OrderRow) => `${placed_at}#${id}`;

/**
 * A page of the orders of one month, oldest first. Orders placed meanwhile are appended.
 *
 * @param after where the previous page ended
 */
export function ordersOfMonth(
  table: Table,
  month: string,
  { limit, after }: { limit: number; after: Record<string, unknown> | undefined },
) {
  return table.query(Orders, { index: "gsi1", partition: `ORDERS#${month}`, limit, after });
}

interface RangePart {
  readonly month: string;
  readonly low: string;
  readonly high: string;
  readonly limit: number;
  readonly oldestFirst: boolean;
}

async function readRange(
  table: Table,
  range: OrderRange,
  { month, low, high, limit, oldestFirst }: RangePart,
): Promise<{ orders: OrderRow[]; more: boolean }> {
  // The position is beyond the range, so nothing is left. DynamoDB would refuse a range with reversed bounds.
  if (high < low) return { orders: [], more: false };
  const options = { between: [low, high], limit, newestFirst: !oldestFirst } as const;
  switch (range.kind) {
    case "month":
      return readIndex(table, { ...options, index: "gsi1", partition: `ORDERS#${month}` });
    case "open":
      return readIndex(table, { ...options, index: "gsi2", partition: `ORDERS#${range.status}` });
    case "to_see":
      return readReferred(table, OrdersNeedingAttention, { ...options, partition: "ORDERSTOSEE" });
    case "buyer":
      return readReferred(table, OrdersOfBuyer, {
        ...options,
        between: [`ORDER#${low}`, `ORDER#${high}`],
        partition: `BUYER#${range.buyer}`,
      });
  }
}

async function readIndex(table: Table, options: QueryOptions) {
  const { records, next } = await table.query(OrderListRows, options);
  return { orders: await wholeRows(table, records), more: next !== undefined };
}

async function readReferred(
  table: Table,
  references: typeof OrdersNeedingAttention | typeof OrdersOfBuyer,
  options: QueryOptions,
) {
  const { records, next } = await table.query<typeof OrdersNeedingAttention.schema, never>(
    references,
    options,
  );
  const { orders } = await table.getMany({
    orders: records.map(({ order_id }) => at(OrderListRows, { id: order_id })),
  });
  const found = orders.filter((order) => order !== undefined);
  return { orders: await wholeRows(table, found), more: next !== undefined };
}

/** Completes rows that were stored without what lists show, from the whole orders. */
export async function wholeRows(
  table: Pick<Table, "getMany">,
  rows: readonly z.output<typeof OrderListRows.schema>[],
): Promise<OrderRow[]> {
  const bare = rows.filter(({ listed }) => !listed);
  if (bare.length === 0) return rows.flatMap((row) => (hasListed(row) ? [row] : []));
  const { orders } = await table.getMany({ orders: bare.map(({ id }) => at(Orders, { id })) });
  return rows.flatMap((row) => {
    if (hasListed(row)) return [row];
    const order = orders.find((each) => each?.id === row.id);
    return order ? [orderRow(order)] : [];
  });
}

const hasListed = (row: z.output<typeof OrderListRows.schema>): row is OrderRow =>
  row.listed !== undefined;

/** Finds an order by its number as a person typed it. */
export async function findByTypedNumber(
  table: Table,
  typed: string,
): Promise<OrderRow | undefined> {
  const number = parseOrderNumber(typed);
  const reference = number === null ? undefined : await table.get(OrderNumbers, { number });
  const order = reference && (await table.get(Orders, { id: reference.order_id }));
  return order && orderRow(order);
}
