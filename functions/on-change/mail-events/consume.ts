import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { blockAddresses } from "#shared/application/customer/block-addresses.ts";
import { because } from "#shared/runtime/cause.ts";
import { MailEvent, blockedBy, isTopicNotice } from "../mail-event.ts";

/** Blocks addresses to which mail bounced permanently, or whose owner complained. Safe to repeat. */
export async function consume(
  { Records }: SQSEvent,
  shop: Shop<"table" | "log" | "now">,
): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const record of Records) {
    // Messages from SES name no cause, so the rows that they change record `mail_event` as the cause.
    const isDone = await because({ trigger: "mail_event" }, () => take(record, shop));
    if (!isDone) failed.push(record.messageId);
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** @returns whether the message is done. If not, the queue delivers it again */
async function take(
  { messageId, body }: SQSRecord,
  shop: Shop<"table" | "log" | "now">,
): Promise<boolean> {
  try {
    if (!isTopicNotice(body))
      await blockAddresses(blockedBy(MailEvent.parse(JSON.parse(body))), shop);
    return true;
  } catch (error) {
    // The log gets only the error's name, because events contain addresses.
    const reason = error instanceof Error ? error.name : "unknown";
    shop.log.error("Bounce or complaint not processed: the queue retries it", {
      message_id: messageId,
      reason,
    });
    return false;
  }
}
