import type { Timestamp } from "#shared/domain/base/text.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type DueOrder, scheduleCheck, removeCheck } from "#shared/storage/order/due-orders.ts";
import type { Deps } from "./deps.ts";

const firstPauseMs = 60_000;
const longestPauseMs = 15 * 60_000;
/** With one that is written, a transaction's worth; more than that stay due, and are the next to be listed. */
const rowsAtOnce = 99;

/**
 * Looks at an order and says when to look again.
 *
 * @param rows all that said it is due
 * @returns `put_off`: something did not answer; `broken`: it cannot be looked at, and waiting may not help
 */
export async function lookAtOrder(
  orderId: string,
  rows: readonly DueOrder[],
  deps: Deps,
): Promise<"done" | "put_off" | "broken"> {
  const { table, log, now } = deps;
  const begun = now();
  const attempts = 1 + Math.max(...rows.map((row) => row.attempts));
  let next: { at: Timestamp; attempts: number } | null;
  let outcome: "done" | "put_off" | "broken" = "done";
  try {
    const at = await advanceOrder(deps, orderId, begun);
    next = at === null ? null : { at: notBefore(at, begun), attempts: 0 };
  } catch (error) {
    outcome = error instanceof Unavailable ? "put_off" : "broken";
    const facts = { order_id: orderId, attempts, error };
    if (outcome === "broken") log.error("Scheduled check of an order failed", facts);
    else log.warn("Scheduled check of an order postponed", facts);
    next = { at: afterPause(attempts, begun), attempts };
  }
  try {
    await table.transact([
      ...rows.slice(0, rowsAtOnce).map(removeCheck),
      ...(next ? [scheduleCheck(orderId, next.at, next.attempts)] : []),
    ]);
    return outcome;
  } catch (error) {
    // It stays due, and is the first of the next run.
    log.warn("Order timers not updated", { order_id: orderId, error });
    return "put_off";
  }
}

/** What is due now would come again at once. */
function notBefore(at: Timestamp, now: Date): Timestamp {
  const soonest = new Date(now.getTime() + firstPauseMs).toISOString();
  return at > now.toISOString() ? at : soonest;
}

/** A pause that doubles. */
function afterPause(attempts: number, now: Date): Timestamp {
  const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
  return new Date(now.getTime() + ms).toISOString();
}
