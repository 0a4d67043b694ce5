import { changeOf, eachStock } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import type { OrderRecord, StoredOrder } from "../order.ts";
import { lacksCash } from "../../payment/owing.ts";
import { unsentByStock } from "../ledger/order-units.ts";
import { slotIsFree } from "../edit/slot-choice.ts";
import { release } from "../../catalog/stock.ts";

/**
 * Expires an unpaid order whose payment window is over, and releases its stock. Returns undefined if it may not expire
 * yet or has received money. The caller first cancels the order's gateway payments.
 */
export function expireOrder(record: OrderRecord, now: Date): OrderChange | undefined {
  const { id, status, expires_at, slot } = record.order;
  if (status !== "pending_payment" || expires_at === null) return undefined;
  if (Date.parse(expires_at) > now.getTime()) return undefined;
  return changeOf(
    record,
    {
      set: { status: "expired", expires_at: null, slot: null },
      entries: [
        {
          type: "expired",
          message:
            "The order has expired because no payment arrived. Its items are available again.",
          public: true,
        },
        ...(slot ? [slotIsFree] : []),
      ],
      stock: eachStock(unsentByStock(record), release),
      events: [{ type: "order_expired", order_id: id }],
    },
    now,
  );
}

/** How long a payment that the bank is processing keeps its order from expiring. */
const bankMs = 10 * 86_400_000;

/** Whether an order that should expire waits for the bank instead, which is processing a payment. */
export const waitsForBank = (
  { status, expires_at }: Pick<StoredOrder, "status" | "expires_at">,
  now: Date,
): boolean => {
  if (status !== "pending_payment" || expires_at === null) return false;
  const since = now.getTime() - Date.parse(expires_at);
  return since >= 0 && since < bankMs;
};

/**
 * Completes an order `completedAfterDays` days after its last delivery. Returns undefined before that time, and while
 * its cash is missing.
 */
export function completeOrder(
  record: OrderRecord,
  completedAfterDays: number,
  now: Date,
): OrderChange | undefined {
  const { status, delivered_at } = record.order;
  if (status !== "delivered" || delivered_at === null) return undefined;
  if (lacksCash(record.order)) return undefined;
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

/** When a delivered order is completed automatically. */
export const completionAt = (deliveredAt: string, days: number): string =>
  new Date(Date.parse(deliveredAt) + days * 86_400_000).toISOString();
