import { nextBalanceCheck } from "./balance.ts";
import { lacksCash } from "../../payment/owing.ts";
import { cashMissingAt } from "./cash-missing.ts";
import { completionAt } from "./expire-order.ts";
import { inMs, nextCheckAt } from "./order-timers.ts";
import type { OrderRecord } from "../order.ts";
import { openGatewayRefunds } from "../../payment/refund/refunds.ts";
import type { Timestamp } from "../../base/text.ts";

/** How soon an order with a slow bank payment or a pending refund is checked again. */
const laterMs = 60 * 60_000;
/** After this time without a change, an order's open payments and refunds are no longer checked. */
const patienceMs = 7 * 86_400_000;

/**
 * When an order is checked again after a check; null if it needs no further check.
 *
 * @param completedAfterDays null if the order is not delivered yet; the delivery then schedules a check
 */
export function nextCheckAfter(
  record: OrderRecord,
  completedAfterDays: number | null,
  now: Date,
): Timestamp | null {
  const { order, rows } = record;
  const soon = nextCheckAt(order, now);
  if (soon !== null) return soon;
  const { status, delivered_at } = order;
  const completion =
    status === "delivered" &&
    !lacksCash(order) &&
    delivered_at !== null &&
    completedAfterDays !== null
      ? completionAt(delivered_at, completedAfterDays)
      : null;
  const balance = nextBalanceCheck(record, now);
  const isOpen =
    openGatewayRefunds(rows.transactions).length > 0 ||
    rows.transactions.some(
      ({ type, state, method }) => type === "charge" && state === "pending" && method === "gateway",
    );
  const isFresh = now.getTime() - Date.parse(order.updated_at) < patienceMs;
  const recheckAt = isOpen && isFresh ? inMs(now, laterMs) : null;
  const cash = cashMissingAt(record);
  return (
    [recheckAt, balance, completion, cash].filter((time) => time !== null).toSorted()[0] ?? null
  );
}
