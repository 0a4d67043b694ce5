import { listDueOrders } from "#shared/storage/order/due-orders.ts";
import type { Deps } from "./deps.ts";
import { lookAtOrder } from "./look.ts";

/** How many orders are looked at side by side. */
const width = 10;
const batchSize = 100;
/** After that no order is begun; those under way have the rest of the function's time. */
const workingMs = 35_000;

/**
 * Looks at every order that is due. One that cannot be brought further is put off and holds up no other; those that
 * time runs out for are the first of the next run.
 *
 * @throws Error when something is wrong that waiting does not mend, so that a person is told; all is put off by then
 */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const until = deps.now().getTime() + workingMs;
  const inTime = () => deps.now().getTime() < until;
  const broken: string[] = [];
  for (let more = true; more && inTime();) {
    const due = await listDueOrders(deps.table, deps.now(), batchSize);
    // Two rows of one order are one look.
    const orders = [...Map.groupBy(due, ({ order_id }) => order_id)].values();
    const work = async () => {
      for (const [orderId, rows] of orders) {
        if (!inTime()) return;
        const outcome = await lookAtOrder(orderId, rows, deps);
        if (outcome === "broken") broken.push(orderId);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    more = due.length === batchSize;
  }
  if (broken.length > 0) throw new Error(`${broken.length} orders could not be processed`);
}
