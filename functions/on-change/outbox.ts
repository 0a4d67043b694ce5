import type { Shop } from "#shared/application/shop.ts";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";
import { pauseAfter, randomPauseAfter } from "#shared/runtime/back-off.ts";
import { openOutbox, OutboxMessage, type OutboxRow } from "#shared/storage/outbox.ts";
import { DocumentPending } from "#shared/application/document/carried-document.ts";
import {
  type MailShop,
  type PreparedMail,
  prepareMails,
  sendMail,
} from "#shared/application/mail/send-mail.ts";
import { nameOfError, retried } from "./work-through.ts";

type SendingShop = MailShop & Shop<"outboxQueue">;

/**
 * Sends the mails of outbox events, each once: a worker claims the rows of its messages, and a finished row is not sent
 * again, however often its message is delivered. A mail is sent twice only if the worker crashes after the mail server has accepted it
 * and before the row is updated. Updating the row first could lose the mail instead.
 */
export async function onChangeOutbox(
  { Records }: SQSEvent,
  shop: SendingShop,
): Promise<SQSBatchResponse> {
  const claims = await Promise.all(
    Records.map((record) => becauseOf(record, () => claimRow(record, shop))),
  );
  const rows = claims.filter((claimed) => typeof claimed === "object");
  const mails = new Map(prepareMails(rows, shop).map((mail) => [mail.row, mail]));
  const done = await Promise.all(
    Records.map(async (record, position) => {
      const claimed = claims[position]!;
      if (typeof claimed !== "object") return claimed === "settled";
      return becauseOf(record, () => deliver(record, mails.get(claimed)!, shop));
    }),
  );
  return retried(Records.filter((_record, position) => !done[position]));
}

/** @returns the claimed row. A message whose row another worker holds, or that cannot be read, is postponed */
async function claimRow(
  record: SQSRecord,
  shop: Shop<"table" | "log" | "now" | "outboxQueue">,
): Promise<OutboxRow | "settled" | "postponed"> {
  try {
    const { id } = OutboxMessage.parse(JSON.parse(record.body));
    const claim = await openOutbox(shop.table).claim(id, shop.now());
    if (claim.kind === "claimed") return claim.record;
    if (claim.kind === "settled") return "settled";
    await postpone(record, pauseOf(attemptOf(record)), shop);
  } catch (error) {
    await retryLater(record, error, shop);
  }
  return "postponed";
}

/** @returns whether the message is done. If not, the queue delivers it again, after a growing delay */
async function deliver(record: SQSRecord, mail: PreparedMail, shop: SendingShop): Promise<boolean> {
  try {
    await sendMail(mail, shop);
    return true;
  } catch (error) {
    await retryLater(record, error, shop);
    return false;
  }
}

async function retryLater(
  record: SQSRecord,
  error: unknown,
  shop: Shop<"log" | "outboxQueue">,
): Promise<void> {
  if (error instanceof DocumentPending) {
    // The consumer of documents enqueues the mail again when its PDF is made.
    await postpone(record, error.seconds, shop);
    return;
  }
  const attempt = attemptOf(record);
  shop.log.warn("Mail not sent: the queue retries it", {
    message_id: record.messageId,
    attempt,
    // Messages of mail servers may contain personal data.
    reason: nameOfError(error),
  });
  await postpone(record, pauseOf(attempt), shop);
}

const attemptOf = ({ attributes }: SQSRecord): number => Number(attributes.ApproximateReceiveCount);

const pausesInSeconds = { first: 10, longest: 900 };

/**
 * A random time of at least half of a growing pause, in seconds. Shorter delays would use up the attempts, which the
 * queue limits.
 */
function pauseOf(attempt: number): number {
  const bounds = pausesInSeconds;
  return Math.ceil((pauseAfter(attempt, bounds) + randomPauseAfter(attempt, bounds)) / 2);
}

/** Delays the next attempt. */
async function postpone(
  { receiptHandle }: SQSRecord,
  seconds: number,
  { outboxQueue: queue, log }: Shop<"log" | "outboxQueue">,
): Promise<void> {
  try {
    await queue.postpone(receiptHandle, seconds);
  } catch (error) {
    // SQS redelivers the message anyway, after the visibility timeout.
    log.warn(
      "Delay of a mail retry not set: the queue retries the mail after its visibility timeout",
      { reason: nameOfError(error) },
    );
  }
}
