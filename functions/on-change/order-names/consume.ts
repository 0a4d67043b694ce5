import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { keepMonths } from "#shared/storage/order/order-months.ts";
import { followNames } from "#shared/storage/order/order-names.ts";
import { type OrderNameChange, OrderNameChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";

/** Maximum number of orders per transaction. An order takes one row, and one more for each word of its names. */
const batchSize = 25;

/**
 * Updates what finds orders in lists: the search rows of their names, and the months that have orders. Safe to repeat,
 * to run late and to run concurrently.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, OrderNameChanges, (changes) => follow(changes, deps), deps.log);
}

async function follow(changes: readonly OrderNameChange[], deps: Deps): Promise<void> {
  const { table, months } = deps;
  const unknown = new Set(changes.map(({ month }) => month)).difference(months);
  if (unknown.size > 0) await keepMonths(table, [...unknown]);
  for (const month of unknown) months.add(month);
  for (let start = 0; start < changes.length; start += batchSize) {
    const some = changes.slice(start, start + batchSize);
    await followNames(
      table,
      some.map(({ id }) => id),
    );
  }
}
