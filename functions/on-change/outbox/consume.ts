import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";
import { pauseAfter, randomPauseAfter } from "#shared/runtime/back-off.ts";
import { OutboxMessage } from "#shared/storage/outbox.ts";
import { DocumentPending } from "#shared/application/document/carried-document.ts";
import { sendMail } from "#shared/application/mail/send-mail.ts";
import type { Deps } from "./deps.ts";

/**
 * Sends the mails of outbox events, each once: a worker claims the row, and a finished row is not sent again, however
 * often its message is delivered. A mail is sent twice only if the worker crashes after the mail server has accepted it
 * and before the row is updated. Updating the row first could lose the mail instead.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const done = await Promise.all(
    Records.map((record) => becauseOf(record, () => deliver(record, deps))),
  );
  const failed = Records.filter((_record, position) => !done[position]);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** @returns whether the message is done. If not, the queue delivers it again, after a growing delay */
async function deliver(record: SQSRecord, deps: Deps): Promise<boolean> {
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  try {
    const { id } = OutboxMessage.parse(JSON.parse(record.body));
    const claim = await deps.outbox.claim(id, deps.now());
    if (claim.kind === "settled") return true;
    if (claim.kind === "claimed") {
      await sendMail(claim.record, deps);
      return true;
    }
  } catch (error) {
    if (error instanceof DocumentPending) {
      // The consumer of documents enqueues the mail again when its PDF is made.
      await postpone(record, error.seconds, deps);
      return false;
    }
    deps.log.warn("Mail not sent: the queue retries it", {
      message_id: record.messageId,
      attempt,
      ...reasonOf(error),
    });
  }
  await postpone(record, pauseOf(attempt), deps);
  return false;
}

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
  { queue, log }: Deps,
): Promise<void> {
  try {
    await queue.postpone(receiptHandle, seconds);
  } catch (error) {
    // SQS redelivers the message anyway, after the visibility timeout.
    log.warn(
      "Delay of a mail retry not set: the queue retries the mail after its visibility timeout",
      reasonOf(error),
    );
  }
}

/** Only the error's name is logged, because messages of mail servers may contain personal data. */
function reasonOf(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.name : "unknown" };
}
