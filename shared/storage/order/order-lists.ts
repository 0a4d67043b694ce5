import type * as z from "zod";
import { parseOrderNumber } from "../../domain/order/order-number.ts";
import { type OrderRow, orderRow } from "../../domain/order/view/order-row.ts";
import type { OrderStatus } from "../../domain/order/status/order-states.ts";
import type { BuyerKey } from "./buyers.ts";
import { OrderListRows, OrderNumbers, Orders, OrdersOfBuyer, allOrders, isOpen } from "./orders.ts";
import { OrdersNeedingAttention } from "./orders-needing-attention.ts";
import { at } from "../reads.ts";
import type { QueryOptions, Table } from "../table.ts";

/** The index range that an order search reads. */
export type OrderRange =
  | { readonly kind: "all" }
  | { readonly kind: "open"; readonly status: OrderStatus }
  | { readonly kind: "to_see" }
  | { readonly kind: "buyer"; readonly buyer: BuyerKey };

/** The narrowest range that holds every order of a status. Only open orders are also listed by status. */
export const rangeOfStatus = (status: OrderStatus | undefined): OrderRange =>
  status !== undefined && isOpen(status) ? { kind: "open", status } : { kind: "all" };

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

/** A position in a list of orders: the last order that was read. */
export const orderPosition = /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z#ord_[0-9A-Z]{26}$/;

/** The most orders that one page reads. The cursor continues after the last order that was read. */
const mostOrders = 200;

/** Bounds below and above all sort keys of orders. */
const [lowest, highest] = ["0", "~"];

/**
 * One page of orders, by default newest first. The cost does not grow with the number of orders: one query reads a page
 * without filters. If few orders match, each further query reads twice as many, and a page may be short or empty while
 * `next` says that there are more.
 *
 * @param after where the previous page ended
 */
export async function searchOrders(
  table: Table,
  search: OrderSearch,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ orders: OrderRow[]; next: string | null }> {
  const { range, oldestFirst = false } = search;
  const orders: OrderRow[] = [];
  const low = search.from?.toISOString() ?? lowest;
  const high = search.until?.toISOString() ?? highest;
  let position = after;
  let read = 0;
  // One more, because the last order of the previous page is read again.
  for (let size = limit + 1; read < mostOrders; size = Math.min(2 * size, mostOrders - read)) {
    const page = await readRange(table, range, {
      low: (oldestFirst ? position : undefined) ?? low,
      high: (oldestFirst ? undefined : position) ?? high,
      oldestFirst,
      limit: size,
    });
    read += page.orders.length;
    for (const order of page.orders) {
      const place = placeOf(order);
      if (place === position) continue;
      position = place;
      if (search.matches(order)) orders.push(order);
      if (orders.length === limit) return { orders, next: position };
    }
    if (!page.more) return { orders, next: null };
  }
  return { orders, next: position ?? null };
}

const placeOf = ({ placed_at, id }: OrderRow) => `${placed_at}#${id}`;

/**
 * A page of all orders, oldest first. Orders placed meanwhile are appended.
 *
 * @param after where the previous page ended
 */
export function everyOrder(
  table: Table,
  { limit, after }: { limit: number; after: Record<string, unknown> | undefined },
) {
  return table.query(Orders, { index: "gsi1", partition: allOrders, limit, after });
}

interface RangePart {
  readonly low: string;
  readonly high: string;
  readonly limit: number;
  readonly oldestFirst: boolean;
}

async function readRange(
  table: Table,
  range: OrderRange,
  { low, high, limit, oldestFirst }: RangePart,
): Promise<{ orders: OrderRow[]; more: boolean }> {
  // The position is beyond the range, so nothing is left. DynamoDB would refuse a range with reversed bounds.
  if (high < low) return { orders: [], more: false };
  const options = { between: [low, high], limit, newestFirst: !oldestFirst } as const;
  switch (range.kind) {
    case "all":
      return readIndex(table, { ...options, index: "gsi1", partition: allOrders });
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
