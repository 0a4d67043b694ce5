import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { MailRefused } from "#shared/mail/mailer.ts";
import { pauseAfter, randomPauseAfter } from "#shared/runtime/back-off.ts";
import type { OutboxRow } from "#shared/storage/outbox.ts";
import { OutboxMessage } from "../outbox-message.ts";
import { compose } from "./compose.ts";
import type { Deps } from "./deps.ts";

/**
 * Sends the mails of outbox events, each once: a worker claims the row, and a finished row is not sent again,
 * however often its message is delivered. Only a crash between the mail server's acceptance and the mark sends a
 * mail twice; marking first would lose it instead.
 */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  const done = await Promise.all(Records.map((record) => deliver(record, deps)));
  const failed = Records.filter((_record, position) => !done[position]);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** @returns whether the message is done; otherwise it is retried with a growing delay */
async function deliver(record: SQSRecord, deps: Deps): Promise<boolean> {
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  try {
    const { id } = OutboxMessage.parse(JSON.parse(record.body));
    const claim = await deps.outbox.claim(id, deps.now());
    if (claim.kind === "settled") return true;
    if (claim.kind === "claimed") {
      await send(claim.record, deps);
      return true;
    }
  } catch (error) {
    deps.log.warn("Mail not sent yet", {
      message_id: record.messageId,
      attempt,
      ...reasonOf(error),
    });
  }
  await postpone(record, attempt, deps);
  return false;
}

async function send(row: OutboxRow, deps: Deps): Promise<void> {
  const { outbox, mailer, log, now } = deps;
  const facts = { outbox_id: row.id, attempts: row.attempts };
  let state: "sent" | "given_up" = "given_up";
  try {
    const letter = await compose(row.event, deps);
    if (letter) {
      await mailer.send({ ...letter, dedupe: row.id });
      state = "sent";
    } else log.info("Mail skipped: event is stale", facts);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      await outbox.release(row);
      throw error;
    }
    log.error("Mail skipped: the mail server refuses it", facts);
  }
  await outbox.settle(row, state, now());
}

const pausesInSeconds = { first: 10, longest: 900 };

/** Waits at least half of the pause: a queue retries a message only so often. */
async function postpone(
  { receiptHandle }: SQSRecord,
  attempt: number,
  { queue, log }: Deps,
): Promise<void> {
  const bounds = pausesInSeconds;
  const seconds = (pauseAfter(attempt, bounds) + randomPauseAfter(attempt, bounds)) / 2;
  try {
    await queue.postpone(receiptHandle, Math.ceil(seconds));
  } catch (error) {
    // The message is retried anyway, only at another time.
    log.warn("Message not postponed", reasonOf(error));
  }
}

/** Only the error's kind: mail server messages may contain personal data. */
function reasonOf(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.name : "unknown" };
}
