import { type OrderChange, changeOf, eachSku } from "./order-change.ts";
import type { OrderRecord } from "./order.ts";
import { owedBySku } from "./order-units.ts";
import { release } from "../catalog/stock.ts";

/**
 * Lets an unpaid order expire whose time is over; what it held is free again. Undefined: it is not its time, or money
 * has come. A gateway's payment must have been ended before.
 */
export function expireOrder(record: OrderRecord, now: Date): OrderChange | undefined {
  const { id, status, expires_at } = record.order;
  if (status !== "pending_payment" || expires_at === null) return undefined;
  if (Date.parse(expires_at) > now.getTime()) return undefined;
  return changeOf(
    record,
    {
      set: { status: "expired", expires_at: null },
      entries: [
        {
          type: "expired",
          message: "The order has expired because no payment came. Its goods are free again.",
          public: true,
        },
      ],
      stock: eachSku(owedBySku(record), release),
      tells: [{ type: "order_expired", order_id: id }],
    },
    now,
  );
}

/** Completes an order some days after its last delivery. Undefined: it is not its time. */
export function completeOrder(
  record: OrderRecord,
  completedAfterDays: number,
  now: Date,
): OrderChange | undefined {
  const { status, delivered_at } = record.order;
  if (status !== "delivered" || delivered_at === null) return undefined;
  if (Date.parse(completionAt(delivered_at, completedAfterDays)) > now.getTime()) return undefined;
  return changeOf(
    record,
    {
      set: { status: "completed" },
      entries: [{ type: "completed", message: "Your order is complete.", public: true }],
    },
    now,
  );
}

/** When a delivered order is completed by itself. */
export const completionAt = (deliveredAt: string, days: number): string =>
  new Date(Date.parse(deliveredAt) + days * 86_400_000).toISOString();
