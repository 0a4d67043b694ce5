import { parseOrderNumber } from "../../domain/order/order-number.ts";
import type { StoredOrder } from "../../domain/order/order.ts";
import type { OrderStatus } from "../../domain/order/order-states.ts";
import type { BuyerKey } from "./buyers.ts";
import { OrderNumbers, Orders, OrdersOfBuyer, isOpen } from "./orders.ts";
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
  matches(order: StoredOrder): boolean;
}

/** A position in a list of orders: the last order returned, or a month that was read to its end. */
export const orderPosition = /^\d{4}-\d{2}(?:-\d{2}T[\d:.]{12}Z#ord_[0-9A-Z]{26})?$/;

/** The read limits of one page. The cursor continues after the last order that was read. */
const mostQueries = 12;
const mostOrders = 200;

/** Bounds below and above all sort keys of orders. */
const [lowest, highest] = ["0", "~"];
/** The service has no earlier orders. */
const firstMonth = "2026-01";
const monthOf = (moment: Date) => moment.toISOString().slice(0, 7);

function monthBefore(month: string, back = 1): string {
  const date = new Date(`${month}-01T00:00:00.000Z`);
  date.setUTCMonth(date.getUTCMonth() - back);
  return monthOf(date);
}

/**
 * One page of orders, newest first. The cost does not grow with the number of orders: if few match, a page may be short
 * or empty while `next` says that there are more. After each round of queries, twice as many older months are read
 * concurrently. If a month has more orders than were read, the next round reads this month alone. So a shop with few
 * orders needs few rounds, and a shop with many orders reads little beyond the page.
 *
 * @param after where the previous page ended
 */
export async function searchOrders(
  table: Table,
  search: OrderSearch,
  { limit, after, now }: { limit: number; after: string | undefined; now: Date },
): Promise<{ orders: StoredOrder[]; next: string | null }> {
  const orders: StoredOrder[] = [];
  const low = search.from?.toISOString() ?? lowest;
  const high = search.until?.toISOString() ?? highest;
  const last = lastMonth(search, now);
  let position = after;
  let read = 0;
  let together = 1;
  for (let queries = 0; queries < mostQueries && read < mostOrders;) {
    const affordable = Math.ceil((mostOrders - read) / (limit + 1));
    const months = monthsFrom(
      search.range.kind === "month" ? monthAt(position, search, now) : "",
      last,
      Math.min(together, affordable, mostQueries - queries),
    );
    const pages = await Promise.all(
      months.map((month, ahead) =>
        readRange(table, search.range, {
          month,
          low,
          high: ahead === 0 && position !== undefined && position.includes("#") ? position : high,
          // One more, because the last order of the previous page is read again.
          limit: limit + 1,
        }),
      ),
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
        // The remaining orders of this month come before all older months, so the next round reads this month alone.
        together = 1;
        break;
      }
      const month = months[ahead] ?? "";
      if (month <= last) return { orders, next: null };
      position = month;
    }
  }
  return { orders, next: position ?? null };
}

/** Up to `most` months, newest first, none before `last`. */
function monthsFrom(newest: string, last: string, most: number): string[] {
  const months = [newest];
  for (let month = newest; month > last && months.length < most; months.push(month)) {
    month = monthBefore(month);
  }
  return months;
}

const placeOf = ({ placed_at, id }: StoredOrder) => `${placed_at}#${id}`;

/** The month in which a list continues. */
function monthAt(position: string | undefined, { until }: OrderSearch, now: Date): string {
  if (position === undefined) return monthOf(endOf(until, now));
  return position.includes("#") ? position.slice(0, 7) : monthBefore(position);
}

/**
 * The oldest month of a search: the month of `from`. Without `from`, it is the first month that can have orders or the
 * month a year ago, whichever is earlier.
 */
function lastMonth({ range, from, until }: OrderSearch, now: Date): string {
  if (range.kind !== "month") return "";
  return from ? monthOf(from) : earliestMonth(endOf(until, now));
}

const endOf = (until: Date | null, now: Date): Date => (until && until < now ? until : now);

/** The earliest month to search for orders placed before `end`. */
function earliestMonth(end: Date): string {
  const yearAgo = monthBefore(monthOf(end), 11);
  return yearAgo < firstMonth ? yearAgo : firstMonth;
}

/** Every month that may have orders, oldest first. */
export function monthsOfOrders(now: Date): string[] {
  const months = [monthOf(now)];
  const earliest = earliestMonth(now);
  for (let month = months[0] ?? ""; month > earliest; months.unshift(month)) {
    month = monthBefore(month);
  }
  return months;
}

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

async function readRange(
  table: Table,
  range: OrderRange,
  { month, low, high, limit }: { month: string; low: string; high: string; limit: number },
): Promise<{ orders: StoredOrder[]; more: boolean }> {
  // The position is older than the range, so nothing is left. DynamoDB would refuse a range with reversed bounds.
  if (high < low) return { orders: [], more: false };
  const options = { between: [low, high], limit, newestFirst: true } as const;
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
  const { records, next } = await table.query(Orders, options);
  return { orders: records, more: next !== undefined };
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
    orders: records.map(({ order_id }) => at(Orders, { id: order_id })),
  });
  return { orders: orders.filter((order) => order !== undefined), more: next !== undefined };
}

/** Finds an order by its number as a person typed it. */
export async function findByTypedNumber(
  table: Table,
  typed: string,
): Promise<StoredOrder | undefined> {
  const number = parseOrderNumber(typed);
  const reference = number === null ? undefined : await table.get(OrderNumbers, { number });
  return reference && table.get(Orders, { id: reference.order_id });
}
