import type * as z from "zod";
import { parseOrderNumber } from "../../domain/order/order-number.ts";
import { type OrderRow, orderRow } from "../../domain/order/view/order-row.ts";
import type { OrderStatus } from "../../domain/order/status/order-states.ts";
import type { BuyerKey } from "./buyers.ts";
import {
  OrderListRows,
  OrderNumbers,
  Orders,
  OrdersOfBuyer,
  allOrders,
  isOpenStatus,
} from "./orders.ts";
import { OrdersNeedingAttention } from "./orders-needing-attention.ts";
import type { Readable } from "../entity.ts";
import { type KeyRange, endAt, sortKeyAt } from "../pages.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

/** The index range that an order search reads. */
export type OrderRange =
  | { readonly kind: "all" }
  | { readonly kind: "open"; readonly status: OrderStatus }
  | { readonly kind: "to_see" }
  | { readonly kind: "buyer"; readonly buyer: BuyerKey };

/** The narrowest range that holds every order of a status. Only open orders are also listed by status. */
export const rangeOfStatus = (status: OrderStatus | undefined): OrderRange =>
  status !== undefined && isOpenStatus(status) ? { kind: "open", status } : { kind: "all" };

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
 * without filters, and up to `mostOrders` are read if few match.
 *
 * @param after where the previous page ended
 */
export async function searchOrders(
  table: Table,
  { range, from, until, oldestFirst = false, matches }: OrderSearch,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ records: OrderRow[]; next: string | null }> {
  const low = from?.toISOString() ?? lowest;
  const high = until?.toISOString() ?? highest;
  // The position is beyond the range, so nothing is left. DynamoDB would refuse to start there.
  if (after !== undefined && (after < low || after > high)) return { records: [], next: null };
  const { prefix = "", ...place } = placeOf(range);
  const keys: KeyRange = {
    ...place,
    between: [prefix + low, prefix + high],
    newestFirst: !oldestFirst,
  };
  const [, id = ""] = after?.split("#") ?? [];
  const page = {
    limit,
    after: after === undefined ? undefined : endAt(keys, prefix + after, Orders.key({ id })),
    matches,
    most: mostOrders,
  };
  const { records, next } = place.index
    ? await table.page(OrderListRows, keys, { ...page, read: (rows) => wholeRows(table, rows) })
    : await table.page(references(range), keys, {
        ...page,
        read: (rows: readonly Reference[]) => referredRows(table, rows),
      });
  return { records, next: next ? sortKeyAt(keys, next).slice(prefix.length) : null };
}

/**
 * A page of all orders, oldest first. Orders placed meanwhile are appended.
 *
 * @param after where the previous page ended
 */
export function everyOrder(
  table: Table,
  { limit, after }: { limit: number; after: Record<string, unknown> | undefined },
) {
  return table.page(Orders, { index: "gsi1", partition: allOrders }, { limit, after });
}

/** Where the orders of a range, or references to them, are listed. */
function placeOf(range: OrderRange): KeyRange {
  switch (range.kind) {
    case "all":
      return { index: "gsi1", partition: allOrders };
    case "open":
      return { index: "gsi2", partition: `ORDERS#${range.status}` };
    case "to_see":
      return { partition: "ORDERSTOSEE" };
    case "buyer":
      return { partition: `BUYER#${range.buyer}`, prefix: "ORDER#" };
  }
}

/** What refers to the orders of a range that is not an index of orders. */
const references = ({ kind }: OrderRange): Readable<typeof OrdersNeedingAttention.schema> =>
  kind === "buyer" ? OrdersOfBuyer : OrdersNeedingAttention;

interface Reference {
  readonly order_id: string;
}

async function referredRows(table: Table, rows: readonly Reference[]) {
  const { orders } = await table.getMany({
    orders: rows.map(({ order_id }) => at(OrderListRows, { id: order_id })),
  });
  return wholeRows(table, orders);
}

/** Completes rows that were stored without what lists show, from the whole orders. */
export async function wholeRows(
  table: Pick<Table, "getMany">,
  rows: readonly (ListedRow | undefined)[],
): Promise<(OrderRow | undefined)[]> {
  const bare = rows.filter((row) => row !== undefined && !hasListed(row));
  const { orders } = await table.getMany({
    orders: bare.flatMap((row) => (row ? at(Orders, { id: row.id }) : [])),
  });
  return rows.map((row) => {
    if (row === undefined || hasListed(row)) return row;
    const order = orders.find((each) => each?.id === row.id);
    return order && orderRow(order);
  });
}

type ListedRow = z.output<typeof OrderListRows.schema>;

const hasListed = (row: ListedRow): row is OrderRow => row.listed !== undefined;

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
