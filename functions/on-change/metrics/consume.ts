import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { countChanges } from "#shared/application/metrics/count-changes.ts";
import { MetricChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";

/** Updates the metrics. Safe to repeat, to interrupt and to run concurrently. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "settings" | "soldItems", "store">,
): Promise<SQSBatchResponse> {
  return workThrough(Records, MetricChanges, (changes) => countChanges(changes, shop), shop.log);
}
