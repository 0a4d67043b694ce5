import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { followMarketingChanges } from "#shared/application/marketing/follow-changes.ts";
import { MarketingChanges } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";

/**
 * Starts and ends subscriptions as buyers and customers have chosen, and schedules the checks that announce stock,
 * prices and abandoned carts, and that end the alerts of discontinued products. Safe to repeat and to run late: it decides from the current records and their times.
 */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "now" | "randomBytes" | "settings", "checkout">,
): Promise<SQSBatchResponse> {
  return workThrough(
    Records,
    MarketingChanges,
    (changes) => followMarketingChanges(changes, shop),
    shop.log,
  );
}
