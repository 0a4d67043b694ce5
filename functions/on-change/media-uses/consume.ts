import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { storeMediaUses } from "#shared/application/upload/store-media-uses.ts";
import { MediaUsesMessage } from "#shared/queues/queue-messages.ts";
import { workThrough } from "../work-through.ts";

/** A message of this queue has one change, while `workThrough` expects a list. */
const MediaUsesChange = MediaUsesMessage.transform((message) => ({ changes: [message] }));

/**
 * Records which items show which media, and keeps the pictures of orders. Safe to repeat and to run late: each
 * message updates its rows to the item's current content. Messages about one item share a FIFO group, so they are
 * never processed concurrently.
 */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log">,
): Promise<SQSBatchResponse> {
  return workThrough(
    Records,
    MediaUsesChange,
    (messages) => storeMediaUses(messages, shop.table),
    shop.log,
  );
}
