import { lacksCash } from "../../payment/owing.ts";
import { changeOf, eachStock } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import type { OrderRecord, StoredOrder } from "../order.ts";
import { unsentByStock } from "../ledger/order-units.ts";
import { slotIsFree } from "../edit/slot-choice.ts";
import { release } from "../../catalog/stock.ts";
import { nextBalanceCheck } from "./balance.ts";
import { inMs, nextCheckAt } from "./order-timers.ts";
import { openGatewayRefunds } from "../../payment/refund/refunds.ts";
import type { Timestamp } from "../../base/text.ts";

const dayMs = 86_400_000;

/** When staff are told that the cash of an order is missing; null if it is not, or they were told. */
export function cashMissingAt({ order, rows }: OrderRecord): string | null {
  const { delivered_at } = order;
  if (!lacksCash(order) || delivered_at === null) return null;
  const since = new Date(Date.parse(delivered_at) + dayMs).toISOString();
  return rows.timeline.some(({ type, at }) => type === "cash_missing" && at >= since)
    ? null
    : since;
}

/** Flags an order whose cash is missing a day after its delivery; undefined if it is not. */
export function missCash(record: OrderRecord, now: Date): OrderChange | undefined {
  const since = cashMissingAt(record);
  if (since === null || Date.parse(since) > now.getTime()) return undefined;
  const message = "The order was delivered, but its cash was not recorded.";
  return changeOf(
    record,
    {
      entries: [{ type: "cash_missing", message, public: false }],
      attention: [{ code: "cash_missing", message }],
    },
    now,
  );
}

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
