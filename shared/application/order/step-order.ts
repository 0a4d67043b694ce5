import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
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

/** Applies a step to an order and retries on conflict with a fresh read. */
export const stepOrder = (
  shop: Shop<"table">,
  first: OrderRecord,
  now: Date,
  step: OrderStep,
): Promise<OrderRecord> =>
  retryOnConflict(
    first,
    async () => orNotFound(await openOrders(shop.table).find(first.order.id)),
    (record) => tryStep(shop, record, now, step),
  );

/**
 * Makes one attempt at a step.
 *
 * @returns the order after the step; `record` itself if there was nothing to do
 * @throws Refused on a conflict, or when the condition of a further write fails
 */
export async function tryStep(
  { table }: Shop<"table">,
  record: OrderRecord,
  now: Date,
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
    const { writes, stockAndQuotes, couponUses } = orderChangeWrites(record.order, change, now, {
      withinLimits: couponLeft,
    });
    try {
      await table.transact([...writes, ...(change.writes ?? [])]);
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
