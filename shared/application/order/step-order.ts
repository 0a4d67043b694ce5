import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { orderChangeWrites } from "#shared/storage/order/order-changes.ts";
import { Refused, type TransactionWrite, type Write } from "#shared/storage/writes.ts";

/** The inputs of a step besides the order. */
export interface StepTry {
  readonly now: Date;
  newTransactionId(): string;
  /** The available units of the SKUs whose stock refused the previous attempt, by SKU. */
  readonly short?: ReadonlyMap<string, number>;
  /** False if the previous attempt failed because stock was insufficient or a quote was used by another order. */
  readonly stockAvailable: boolean;
  /** False if the previous attempt failed because the order's coupon has no use left. */
  readonly couponLeft?: boolean;
}

/** A change of an order, and further writes for its transaction. */
export interface Stepping extends OrderChange {
  readonly writes?: readonly TransactionWrite[];
}

/**
 * Returns the change, or undefined if there is nothing to do. Errors that it throws reach the caller of `stepOrder`.
 */
export type OrderStep = (
  record: OrderRecord,
  context: StepTry,
) => Stepping | undefined | Promise<Stepping | undefined>;

interface StepContext {
  readonly now: Date;
  readonly furtherWrites?: (change: OrderChange) => readonly TransactionWrite[];
  /** Called before a change is stored. What it throws refuses the change. */
  readonly approve?: (record: OrderRecord, change: OrderChange) => Promise<void>;
}

/**
 * Applies a step to an order and retries on conflict with a fresh read.
 *
 * @param order.first the order, if already read; undefined to read it first
 * @returns the order after the step; undefined if there is no such order
 * @throws Unavailable when every attempt conflicts
 */
export async function stepOrder(
  shop: Shop<"table">,
  order: StepContext & { readonly id: string; readonly first?: OrderRecord },
  step: OrderStep,
): Promise<OrderRecord | undefined> {
  const { id, first } = order;
  const read = () => openOrders(shop.table).find(id);
  return retryOnConflict(
    first ?? (await read()),
    read,
    async (record) => record && tryStep(shop, record, order, step),
  );
}

/**
 * Makes one attempt at a step.
 *
 * @throws Refused on a conflict, or when the condition of a further write fails
 */
export async function tryStep(
  { table }: Shop<"table">,
  record: OrderRecord,
  { now, furtherWrites = () => [], approve }: StepContext,
  step: OrderStep,
): Promise<OrderRecord> {
  const take = async (
    short?: ReadonlyMap<string, number>,
    couponLeft = true,
  ): Promise<OrderRecord> => {
    const stockAvailable = short === undefined;
    const ids = { now, newTransactionId: () => newId("txn", now) };
    const context = { ...ids, stockAvailable, couponLeft, ...(short && { short }) };
    const change = await step(record, context);
    if (!change) return record;
    await approve?.(record, change);
    const { writes, stockAndQuotes, couponUses } = orderChangeWrites(record.order, change, now, {
      withinLimits: couponLeft,
    });
    try {
      await table.transact([...writes, ...(change.writes ?? []), ...furtherWrites(change)]);
      return changed(record, change);
    } catch (error) {
      // If the order itself has changed, its write is refused first, which does not show whether stock is sufficient.
      const isUnavailable = error instanceof Refused && stockAndQuotes.includes(error.first.write);
      if (stockAvailable && isUnavailable) {
        const skus = [...change.stock.keys()];
        return take(
          shortIn(error, (write) => skus[stockAndQuotes.indexOf(write)]),
          couponLeft,
        );
      }
      const isUsedUp = error instanceof Refused && couponUses.includes(error.first.write);
      if (couponLeft && isUsedUp) return take(short, false);
      throw error;
    }
  };
  return take();
}

/** @param skuOf the SKU whose stock a write changes; undefined for any other write */
const shortIn = (
  { failures }: Refused,
  skuOf: (write: Write) => string | undefined,
): Map<string, number> =>
  new Map(
    failures.flatMap(({ write, conflictingItem }) => {
      const sku = skuOf(write);
      return sku === undefined ? [] : [[sku, Number(conflictingItem?.["available"] ?? 0)]];
    }),
  );
