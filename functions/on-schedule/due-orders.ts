import type { Shop } from "#shared/application/shop.ts";
import { advanceOrder } from "#shared/application/payment/advance-order.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  type DueOrder,
  listDueOrders,
  removeCheck,
  scheduleCheck,
} from "#shared/storage/order/due-orders.ts";
import { issueInvoices } from "#shared/storage/order/invoices.ts";
import { openRun, runDue } from "#shared/application/run-due.ts";
import { publishDueRecords } from "#shared/application/content/publish-due-records.ts";

type CheckingShop = Shop<"table" | "gateways" | "log" | "now" | "settings", "checkout">;

/** How many orders are checked concurrently. */
const width = 10;

/**
 * Issues the invoices of interrupted dispatches, checks every order whose timer is due, and publishes and unpublishes
 * the records whose time has come. A check or publication that fails is postponed and does not block others. Those that
 * the run has no time for come first in the next run.
 *
 * @throws Error when something failed for a reason that retrying may not fix, so that an alarm is raised. The error is
 *   thrown after everything else is done or postponed
 */
export async function onScheduleDueOrders(_event: unknown, shop: CheckingShop): Promise<void> {
  const inTime = openRun(shop.now);
  const [orders, publications] = await Promise.allSettled([
    checkOrders(shop, inTime),
    publishDueRecords(shop, inTime),
  ]);
  if (orders.status === "rejected") throw orders.reason;
  if (publications.status === "rejected") throw publications.reason;
  if (publications.value > 0) {
    throw new Error(`${publications.value} records could not be published`);
  }
}

/** Issues the invoices of interrupted dispatches, and checks every order whose timer is due. */
async function checkOrders(shop: CheckingShop, inTime: () => boolean): Promise<void> {
  const invoices = await issueRequestedInvoices(shop);
  const broken = await runDue<DueOrder>(
    {
      list: (now, limit) => listDueOrders(shop.table, now, limit),
      groupBy: ({ order_id }) => order_id,
      per: "record",
      width,
      run: ({ order_id }, now) => advanceOrder(shop, order_id, now),
      remove: removeCheck,
      schedule: ({ order_id }, { at, attempts }) => scheduleCheck(order_id, at, attempts),
      facts: ({ order_id }) => ({ order_id }),
      messages: {
        failed: "Scheduled check of an order failed",
        postponed: "Scheduled check of an order postponed",
        notUpdated: "Order timers not updated: the next run checks the order again",
      },
    },
    shop,
    inTime,
  );
  if (invoices === "broken") throw new Error("Requested invoices could not be issued");
  if (broken > 0) throw new Error(`${broken} orders could not be processed`);
}

/**
 * Issues the invoices that interrupted dispatches have requested but not issued.
 *
 * @returns `postponed` if storage did not answer or other calls issued invoices at every attempt; `broken` if retrying
 *   may not help
 */
async function issueRequestedInvoices({
  table,
  log,
}: Shop<"table" | "log">): Promise<"done" | "postponed" | "broken"> {
  try {
    await issueInvoices(table);
    return "done";
  } catch (error) {
    const isPassing = error instanceof Unavailable;
    if (isPassing) log.warn("Requested invoices postponed: the next run issues them", { error });
    else log.error("Requested invoices could not be issued", { error });
    return isPassing ? "postponed" : "broken";
  }
}
