import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { becauseOf } from "#shared/runtime/cause.ts";
import { type OutboxEvent, expiresAt } from "#shared/domain/base/outbox-event.ts";
import type { MailBlockReason } from "#shared/domain/customer/mail-block.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import { type Addressed, sentAs } from "#shared/mail/letter.ts";
import { MailRefused } from "#shared/mail/mailer.ts";
import { count } from "#shared/runtime/count.ts";
import { pauseAfter, randomPauseAfter } from "#shared/runtime/back-off.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { type GivenUpReason, OutboxMessage, type OutboxRow } from "#shared/storage/outbox.ts";
import { DocumentPending, attach } from "../carried-document.ts";
import type { Deps } from "./deps.ts";
import { type Mail, mails } from "./letters.ts";

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
      await send(claim.record, deps);
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

async function send(row: OutboxRow, deps: Deps): Promise<void> {
  const { outbox, log, now } = deps;
  const facts = { outbox_id: row.id, attempts: row.attempts };
  let outcome: "sent" | GivenUpReason = "stale";
  try {
    const letter = await compose(row, deps);
    if (letter?.copy) await outbox.publish(letter.copy, now());
    if (letter) outcome = await mail(letter, row, deps);
    else log.info("Mail skipped: event is stale", facts);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      await outbox.release(row);
      throw error;
    }
    outcome = "refused";
    log.error("Mail skipped: the mail server refused it", facts);
  }
  await outbox.settle(row, outcome, now());
  await (outcome === "sent" ? count("MailsSent") : count("MailsGivenUp", outcome));
}

interface Sources extends Pick<
  Deps,
  "orders" | "enquiries" | "marketing" | "documents" | "apiBaseUrl" | "now"
> {
  settings: Pick<Deps["settings"], "current">;
}

/**
 * Returns the mail for an outbox event; undefined if the event is stale, such as after its link has expired.
 *
 * @throws DocumentPending while the mail waits for its PDF
 * @throws Unavailable when the API's address, which the unsubscribe link needs, is not configured
 */
export async function compose(
  { event, at: since }: Pick<OutboxRow, "event" | "at">,
  sources: Sources,
): Promise<Addressed | undefined> {
  const now = sources.now();
  const expires = expiresAt(event);
  if (expires !== null && Date.parse(expires) <= now.getTime()) return undefined;
  const settings = await sources.settings.current();
  // The entry is that of the event's own type; TypeScript cannot infer that for a union.
  const entry = mails[event.type] as Mail<OutboxEvent, object>;
  const loaded = await entry.loads(event, sources, settings);
  if (!loaded) return undefined;
  const facts = { ...loaded, event, settings, store: settings.store };
  const to = entry.isStale?.(facts) ? null : entry.to(facts);
  if (to === null) return undefined;
  const token = entry.unsubscribes?.(facts);
  const unsubscribe = token !== undefined && unsubscribing(token, sources.apiBaseUrl);
  const letter = entry.letter(facts);
  if (!letter) return undefined;
  const copy = entry.copy?.(facts);
  const carried = entry.document?.(facts);
  return {
    to,
    ...unsubscribe,
    ...(copy && { copy }),
    ...(carried
      ? attach(carried, await sources.documents(carried.owner_id), letter, { since, now })
      : letter),
    ...sentAs(letter, settings.email),
  };
}

function unsubscribing(token: string, apiBaseUrl: string | undefined) {
  if (apiBaseUrl === undefined) throw new Unavailable("API_BASE_URL is not configured");
  return { unsubscribe_url: `${apiBaseUrl}${apiPrefix}/unsubscribe/${token}` };
}

/**
 * Sends a mail, unless its address is blocked. SES suspends shops that go on mailing addresses that bounce, or people
 * who have reported spam.
 */
async function mail(
  letter: Addressed,
  { id, attempts }: OutboxRow,
  { mailer, mailBlocks, readDocument, log }: Deps,
): Promise<"sent" | MailBlockReason> {
  const { attachment = null, content: _content, ...rest } = letter;
  const [block] = await mailBlocks([letter.to]);
  if (block) {
    log.warn("Mail skipped: address is blocked", { outbox_id: id, attempts, reason: block.reason });
    return block.reason;
  }
  const pdf = attachment && {
    filename: attachment.filename,
    bytes: await readDocument(attachment.key),
  };
  await mailer.send({ ...rest, pdf, dedupe: id });
  return "sent";
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
