import { listDueOrders } from "#shared/storage/order/due-orders.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { issueInvoices } from "#shared/storage/order/invoices.ts";
import type { Deps } from "./deps.ts";
import { checkOrder } from "./check-order.ts";
import { publishDueRecords } from "./publish-due-records.ts";

/** How many orders are checked concurrently. */
const width = 10;
const batchSize = 100;
/** After this time no further check is started; checks in progress have the rest of the function's timeout. */
const workingMs = 35_000;

/**
 * Issues the invoices of interrupted dispatches, checks every order whose timer is due, and publishes and unpublishes
 * the records whose time has come. A check or publication that fails is postponed and does not block others. Those that
 * the run has no time for come first in the next run.
 *
 * @throws Error when something failed for a reason that retrying may not fix, so that an alarm is raised. The error is
 *   thrown after everything else is done or postponed
 */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const until = deps.now().getTime() + workingMs;
  const inTime = () => deps.now().getTime() < until;
  const [orders, publications] = await Promise.allSettled([
    checkOrders(deps, inTime),
    publishDueRecords(deps, inTime),
  ]);
  if (orders.status === "rejected") throw orders.reason;
  if (publications.status === "rejected") throw publications.reason;
  if (publications.value > 0) {
    throw new Error(`${publications.value} records could not be published`);
  }
}

/** Issues the invoices of interrupted dispatches, and checks every order whose timer is due. */
async function checkOrders(deps: Deps, inTime: () => boolean): Promise<void> {
  const invoices = await issueRequestedInvoices(deps);
  const broken: string[] = [];
  for (let more = true; more && inTime();) {
    const due = await listDueOrders(deps.table, deps.now(), batchSize);
    // Several timers of one order need only one check.
    const orders = [...Map.groupBy(due, ({ order_id }) => order_id)].values();
    const work = async () => {
      for (const [orderId, rows] of orders) {
        if (!inTime()) return;
        const outcome = await checkOrder(orderId, rows, deps);
        if (outcome === "broken") broken.push(orderId);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    more = due.length === batchSize;
  }
  if (invoices === "broken") throw new Error("Requested invoices could not be issued");
  if (broken.length > 0) throw new Error(`${broken.length} orders could not be processed`);
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
}: Deps): Promise<"done" | "postponed" | "broken"> {
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
