import * as z from "zod";
import { ChangeRow } from "../../domain/order/ledger/change-row.ts";
import { nextCheckAt } from "../../domain/order/status/order-timers.ts";
import {
  type OrderRecord,
  Shipment,
  StoredOrder,
  TimelineEntry,
} from "../../domain/order/order.ts";
import type { OrderNumber } from "../../domain/order/order-number.ts";
import { ListedOrder, listedOrder, rowMembers } from "../../domain/order/view/order-row.ts";
import { OrderReturn } from "../../domain/order/returns/order-return.ts";
import { LedgerRow } from "../../domain/payment/payment.ts";
import { type BuyerKey, countedBuyers } from "./buyers.ts";
import { isNew } from "../conditions.ts";
import { putPlannedDelivery } from "../delivery/delivery-places.ts";
import { scheduleCheck } from "./due-orders.ts";
import { entity, listRow } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

type OfOrder = { order_id: string };
type EntryPlace = { at: string; version: number; position: number };

const partition = (orderId: string) => `ORDER#${orderId}`;
/** Statuses that still need an action. Only orders in these statuses are listed by status. */
const openStates = new Set<StoredOrder["status"]>([
  "pending_payment",
  "confirmed",
  "in_production",
  "ready_to_dispatch",
  "shipped",
]);
export const isOpenStatus = (status: StoredOrder["status"]): boolean => openStates.has(status);

/**
 * The partition of the index that lists all orders. New orders are written to one partition of an index in any case:
 * one for each month would take no writes off it, and lists would have to look for months that have orders.
 */
export const allOrders = "ORDERS";

/** All orders are listed by time, and open orders also by status. */
export const Orders = entity({
  name: "order",
  schema: StoredOrder,
  listed: listedOrder,
  key: ({ id }: { id: string }) => ({ pk: partition(id), sk: "ORDER" }),
  indexes: {
    gsi1: ({ placed_at, id }) => ({
      pk: allOrders,
      sk: `${placed_at}#${id}`,
    }),
    gsi2: ({ status, placed_at, id }) =>
      isOpenStatus(status) ? { pk: `ORDERS#${status}`, sk: `${placed_at}#${id}` } : undefined,
  },
  patterns: {
    gsi2: [["ORDERS#<open status>", "<placed_at>#<id>"]],
  },
});

/** What staff lists read of an order. */
export const OrderListRows = listRow(Orders, rowMembers, ListedOrder);

export const OrderTimeline = entity({
  name: "order_timeline",
  schema: TimelineEntry,
  /** The order's version and the position within the change make the keys of entries with the same time unique. */
  key: ({ order_id, at, version, position }: OfOrder & EntryPlace) => ({
    pk: partition(order_id),
    sk: `TIMELINE#${at}#${String(version).padStart(6, "0")}#${position}`,
  }),
  patterns: { table: [["ORDER#<order_id>", "TIMELINE#<at>#<version in six digits>#<position>"]] },
});

export const OrderTransactions = entity({
  name: "order_transaction",
  schema: LedgerRow,
  key: ({ order_id, id }: OfOrder & { id: string }) => ({
    pk: partition(order_id),
    sk: `TRANSACTION#${id}`,
  }),
});

export const OrderShipments = entity({
  name: "order_shipment",
  schema: Shipment,
  key: ({ order_id, id }: OfOrder & { id: string }) => ({
    pk: partition(order_id),
    sk: `SHIPMENT#${id}`,
  }),
});

export const OrderChanges = entity({
  name: "order_change",
  schema: ChangeRow,
  key: ({ order_id, version }: OfOrder & { version: number }) => ({
    pk: partition(order_id),
    sk: `CHANGE#${String(version).padStart(6, "0")}`,
  }),
  patterns: { table: [["ORDER#<order_id>", "CHANGE#<version in six digits>"]] },
});

const Reference = z.object({ order_id: z.string() });

/** The partition of the index that lists all returns, sorted by creation time. */
export const returnList = "RETURNS";
/** The partition of the index that lists the returns of a status. */
export const returnsIn = (status: string) => `${returnList}#${status}`;

export const StoredReturns = entity({
  name: "order_return",
  schema: OrderReturn,
  key: ({ order_id, id }: OfOrder & { id: string }) => ({
    pk: partition(order_id),
    sk: `RETURN#${id}`,
  }),
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: returnList, sk: `${created_at}#${id}` }),
    gsi2: ({ status, created_at, id }) => ({ pk: returnsIn(status), sk: `${created_at}#${id}` }),
  },
});

/** Finds the order of a return. */
export const OrdersOfReturn = entity({
  name: "order_of_return",
  notExported: "derived",
  schema: Reference,
  key: ({ id }: { id: string }) => ({ pk: `RETURN#${id}`, sk: "ORDER" }),
});

/** Makes order numbers unique, and finds their orders. */
export const OrderNumbers = entity({
  name: "order_number",
  notExported: "derived",
  schema: Reference,
  key: ({ number }: { number: OrderNumber }) => ({ pk: `ORDERNUMBER#${number}`, sk: "ORDER" }),
});

/** The orders of an email, a phone or a customer, sorted by the time they were placed. */
export const OrdersOfBuyer = entity({
  name: "order_of_buyer",
  notExported: "derived",
  schema: Reference.extend({ placed_at: z.string() }),
  key: (of: OfOrder & { buyer: BuyerKey; placed_at: string }) => ({
    pk: `BUYER#${of.buyer}`,
    sk: `ORDER#${of.placed_at}#${of.order_id}`,
  }),
});

export interface OrderStore {
  /** Reads the order and its rows with one query. */
  find(id: string): Promise<OrderRecord | undefined>;
  findByNumber(number: OrderNumber): Promise<OrderRecord | undefined>;
  /** Reads orders without their rows in one request, in the order of `ids`; undefined for an id that has none. */
  findManyAlone(ids: readonly string[]): Promise<(StoredOrder | undefined)[]>;
}

export function openOrders(table: Table): OrderStore {
  async function find(id: string): Promise<OrderRecord | undefined> {
    const { orders, timeline, transactions, shipments, changes, returns } =
      await table.getPartition(partition(id), {
        orders: Orders,
        timeline: OrderTimeline,
        transactions: OrderTransactions,
        shipments: OrderShipments,
        changes: OrderChanges,
        returns: StoredReturns,
      });
    const order = orders[0];
    const rows = {
      timeline,
      transactions: transactions.toSorted(byTime),
      shipments,
      changes,
      returns,
    };
    return order && { order, rows };
  }

  return {
    find,
    async findByNumber(number) {
      const reference = await table.get(OrderNumbers, { number });
      return reference && find(reference.order_id);
    },
    async findManyAlone(ids) {
      return (await table.getMany({ orders: ids.map((id) => at(Orders, { id })) })).orders;
    },
  };
}

/**
 * Sorts transactions by time, and a charge before a refund of the same time. Their ids do not sort by time, because
 * those of gateway payments are derived from the gateway's ids.
 */
const byTime = (one: LedgerRow, other: LedgerRow) => {
  const [before, after] = [one.at + one.type, other.at + other.type];
  return before < after ? -1 : before > after ? 1 : 0;
};

/** Writes that store a new order with its number, buyer rows, timeline and first scheduled check. */
export function newOrder(order: StoredOrder, timeline: readonly TimelineEntry[]): Write[] {
  const { id: order_id, number, placed_at } = order;
  const nextCheck = nextCheckAt(order, new Date(placed_at));
  return [
    put(Orders, order, isNew),
    put(OrderNumbers, { number, order_id }, isNew),
    ...countedBuyers(order).map((buyer) => put(OrdersOfBuyer, { buyer, placed_at, order_id })),
    ...newEntries(order, timeline),
    ...(order.slot ? [putPlannedDelivery({ ...order.slot, order_id })] : []),
    ...(nextCheck === null ? [] : [scheduleCheck(order_id, nextCheck)]),
  ];
}

/** The timeline entries of an order change. */
export function newEntries(
  { id: order_id, version }: Pick<StoredOrder, "id" | "version">,
  entries: readonly TimelineEntry[],
): Write[] {
  return entries.map((entry, position) =>
    put(OrderTimeline, { ...entry, order_id, version, position }),
  );
}
