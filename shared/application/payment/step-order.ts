import { newId } from "../../domain/base/ids.ts";
import { type OrderChange, changed } from "../../domain/order/order-change.ts";
import type { OrderRecord } from "../../domain/order/order.ts";
import { retryOnConflict } from "../../storage/on-fresh.ts";
import { changeOrder } from "../../storage/order/order-changes.ts";
import type { OrderStore } from "../../storage/order/orders.ts";
import type { Table } from "../../storage/table.ts";
import { type Write, refusedBy } from "../../storage/writes.ts";

/** What a step of an order's life is stored with. */
export interface OrderDesk {
  readonly table: Table;
  readonly orders: Pick<OrderStore, "find">;
}

/** What a step may go by beside the order. */
export interface StepTry {
  readonly now: Date;
  newTransactionId(): string;
  /** False once the step turned out to need goods that are gone, or an offer that serves another order by now. */
  readonly goodsThere: boolean;
}

/** The change, or undefined when there is nothing to be done; what it throws is thrown on. */
export type OrderStep = (record: OrderRecord, given: StepTry) => OrderChange | undefined;
/** More writes of the same transaction. */
export type Beside = (change: OrderChange) => readonly Write[];

/**
 * Takes an order a step further, on a fresh read each time somebody else wrote in between.
 *
 * @param first as it was read; undefined: it is read first
 * @returns the order after it; undefined: there is no such order
 * @throws Unavailable when it keeps changing
 */
export async function stepOrder(
  desk: OrderDesk,
  orderId: string,
  now: Date,
  step: OrderStep,
  { first, beside }: { first?: OrderRecord; beside?: Beside } = {},
): Promise<OrderRecord | undefined> {
  const read = () => desk.orders.find(orderId);
  return retryOnConflict(
    first ?? (await read()),
    read,
    async (record) => record && tryStep(desk, record, now, step, beside),
  );
}

/**
 * One attempt at a step, on an order as it was read.
 *
 * @throws Refused when it has changed since, or a write beside it does not hold
 */
export async function tryStep(
  { table }: Pick<OrderDesk, "table">,
  record: OrderRecord,
  now: Date,
  step: OrderStep,
  beside: Beside = () => [],
): Promise<OrderRecord> {
  const take = async (goodsThere: boolean): Promise<OrderRecord> => {
    const given = { now, newTransactionId: () => newId("txn", now), goodsThere };
    const change = step(record, given);
    if (!change) return record;
    const { writes, order, goods } = changeOrder(record.order, change, now);
    try {
      await table.transact([...writes, ...beside(change)]);
      return changed(record, change);
    } catch (error) {
      // What an order that has changed since would take is no word on what is there.
      const isGone = refusedBy(error, ...goods) && !refusedBy(error, order);
      if (goodsThere && isGone) return take(false);
      throw error;
    }
  };
  return take(true);
}
