import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { followNames } from "#shared/storage/order/order-names.ts";
import { type OrderNameChange, OrderNameChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";

/** Maximum number of orders per transaction. An order takes one row, and one more for each word of its names. */
const batchSize = 25;

/** Updates the search rows of orders' names. Safe to repeat, to run late and to run concurrently. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log">,
): Promise<SQSBatchResponse> {
  return workThrough(Records, OrderNameChanges, (changes) => follow(changes, shop), shop.log);
}

async function follow(
  changes: readonly OrderNameChange[],
  { table }: Shop<"table">,
): Promise<void> {
  for (let start = 0; start < changes.length; start += batchSize) {
    const some = changes.slice(start, start + batchSize);
    await followNames(
      table,
      some.map(({ id }) => id),
    );
  }
}
