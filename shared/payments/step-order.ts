import { newId } from "../domain/ids.ts";
import { type OrderChange, changed } from "../domain/order-change.ts";
import type { OrderRecord } from "../domain/order.ts";
import { onFresh } from "../storage/on-fresh.ts";
import { changeOrder } from "../storage/order-changes.ts";
import type { OrderStore } from "../storage/orders.ts";
import type { Table } from "../storage/table.ts";
import { type Write, refusedBy } from "../storage/writes.ts";

/** What a step of an order's life is stored with. */
export interface OrderDesk {
  readonly table: Table;
  readonly orders: Pick<OrderStore, "find">;
}

/** What a step may go by beside the order. */
export interface StepTry {
  readonly now: Date;
  newTransactionId(): string;
  /** False once the goods of a lapsed order turned out to be gone. */
  readonly stockThere: boolean;
}

/**
 * Takes an order a step further, on a fresh read each time somebody else wrote in between.
 *
 * @param first as it was read; undefined: it is read first
 * @param step the change, or undefined when there is nothing to be done; what it throws is thrown on
 * @param beside more writes of the same transaction
 * @returns the order after it; undefined: there is no such order
 * @throws Unavailable when it keeps changing
 */
export async function stepOrder(
  { table, orders }: OrderDesk,
  orderId: string,
  now: Date,
  step: (record: OrderRecord, given: StepTry) => OrderChange | undefined,
  {
    first,
    beside = () => [],
  }: { first?: OrderRecord; beside?: (change: OrderChange) => readonly Write[] } = {},
): Promise<OrderRecord | undefined> {
  const read = () => orders.find(orderId);
  return onFresh(first ?? (await read()), read, async (record) => {
    if (!record) return undefined;
    const take = async (stockThere: boolean): Promise<OrderRecord> => {
      const given = { now, newTransactionId: () => newId("txn", now), stockThere };
      const change = step(record, given);
      if (!change) return record;
      const { writes, stock } = changeOrder(record.order, change, now);
      try {
        await table.transact([...writes, ...beside(change)]);
        return changed(record, change);
      } catch (error) {
        if (stockThere && refusedBy(error, ...stock.values())) return take(false);
        throw error;
      }
    };
    return take(true);
  });
}
