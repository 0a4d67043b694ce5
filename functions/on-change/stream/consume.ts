import { namesOf } from "#shared/domain/base/members.ts";
import { hash } from "node:crypto";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { FifoMessage, FifoQueue, Queue } from "#shared/queues/queue.ts";
import { type Cause, because, causeOfAll } from "#shared/runtime/cause.ts";
import { causeOfChange } from "#shared/storage/stream.ts";
import { distinct } from "../distinct.ts";
import type { Deps } from "./deps.ts";
import { type Effects, effectsOf } from "./effects.ts";
import { mailDelaySeconds } from "../carried-document.ts";
import { countOrders } from "./shop-counts.ts";
import { marketingMessages } from "./marketing-changes.ts";
import { metricMessages } from "./metric-changes.ts";
import { erasedIdMessages } from "./erased-id-changes.ts";
import { documentMessages } from "./document-changes.ts";
import { orderNameMessages } from "./order-name-changes.ts";

interface ReadRecord {
  readonly record: DynamoDBRecord;
  readonly cause: Cause;
  readonly effects: Effects;
}

/** An effect of one change, to be sent to the queue `Name`, and the cause of the change. */
interface Caused<Name extends keyof Effects> {
  readonly cause: Cause;
  readonly effect: Effects[Name][number];
}

/**
 * The only reader of the table's stream: enqueues the work of every consumer. Safe to repeat, because every consumer is
 * idempotent. A record that cannot be read is stored in the bucket of failed changes and does not block the others. If
 * a queue does not accept its messages, the batch is retried from the first record for that queue.
 */
export async function consume(
  { Records }: DynamoDBStreamEvent,
  deps: Deps,
): Promise<DynamoDBBatchResponse> {
  const read: ReadRecord[] = [];
  const unreadable: { record: DynamoDBRecord; cause: unknown }[] = [];
  for (const record of Records) {
    try {
      read.push({ record, cause: causeOfChange(record), effects: effectsOf(record) });
    } catch (cause) {
      unreadable.push({ record, cause });
    }
  }
  const failed = await Promise.all([
    ...unreadable.map(({ record, cause }) =>
      because(causeOfChange(record), () => setAside(record, cause, deps)),
    ),
    ...queueNames.map((name) => enqueue(name, read, deps)),
  ]);
  const first = Records.find((record) => failed.includes(record));
  await countOrders(first ? Records.slice(0, Records.indexOf(first)) : Records);
  return {
    batchItemFailures: first ? [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? "" }] : [],
  };
}

/**
 * Stores an unreadable record in the bucket of failed changes.
 *
 * @returns the record if it could not be stored either; otherwise undefined
 */
async function setAside(
  record: DynamoDBRecord,
  cause: unknown,
  { failedChanges, log }: Deps,
): Promise<DynamoDBRecord | undefined> {
  const { eventID } = record;
  try {
    await failedChanges.add(record);
    log.error("Table change stored for replay: it cannot be read", {
      event_id: eventID,
      cause,
    });
    return undefined;
  } catch (error) {
    log.error("Unreadable table change not stored for replay", {
      event_id: eventID,
      cause: error,
    });
    return record;
  }
}

/** @returns undefined if the queue accepted all messages; otherwise the first record with a message for this queue */
async function enqueue(
  name: keyof Effects,
  read: readonly ReadRecord[],
  deps: Deps,
): Promise<DynamoDBRecord | undefined> {
  const concerned = read.filter(({ effects }) => effects[name].length > 0);
  if (concerned.length === 0) return undefined;
  const caused = concerned.flatMap(({ cause, effects }) =>
    effects[name].map((effect) => ({ cause, effect })),
  );
  const batch = concerned.map(({ record }) => record.eventID).join();
  // Sender and effects belong to the same queue `name`; TypeScript cannot infer that for a union.
  const send = senders[name] as Send<keyof Effects>;
  return because(causeOfAll(caused.map(({ cause }) => cause)), async () => {
    try {
      await send(caused, deps, hash("sha256", batch, "hex"));
      return undefined;
    } catch (cause) {
      deps.log.error("Table changes not enqueued: the stream retries them", {
        queue: name,
        count: caused.length,
        cause,
      });
      return concerned[0]?.record;
    }
  });
}

type Send<Name extends keyof Effects> = (
  caused: readonly Caused<Name>[],
  deps: Deps,
  dedupe: string,
) => Promise<void>;

const senders: { readonly [Name in keyof Effects]: Send<Name> } = {
  outbox: sendMails,
  media: (caused, { media }) => sendEach(media, caused),
  mediaUses: (caused, { mediaUses }) => sendInOrder(mediaUses, caused),
  whatsApp: (caused, { whatsApp }) => sendInOrder(whatsApp, caused),
  inboxFiles: (caused, { inboxFiles }) => sendEach(inboxFiles, caused),
  metrics: (caused, { metrics }) => metrics.send(metricMessages(effectsIn(caused))),
  orderNames: (caused, { orderNames }) => orderNames.send(orderNameMessages(effectsIn(caused))),
  documents: (caused, { documents }) => documents.send(documentMessages(effectsIn(caused))),
  erasedIds: (caused, { erasedIds }) => erasedIds.send(erasedIdMessages(effectsIn(caused))),
  marketing: (caused, { marketing }) => marketing.send(marketingMessages(effectsIn(caused))),
  catalogIndex: (caused, { catalogIndex }, dedupe) => sendToIndex(catalogIndex, caused, dedupe),
  staffIndex: (caused, { staffIndex }, dedupe) => sendToIndex(staffIndex, caused, dedupe),
};
const queueNames = namesOf(senders);

const effectsIn = <Effect>(caused: readonly { effect: Effect }[]): Effect[] =>
  caused.map(({ effect }) => effect);

/** One message for each change. */
const sendEach = (
  queue: Pick<Queue, "send">,
  caused: readonly { cause: Cause; effect: object }[],
): Promise<void> => queue.send(effectsIn(caused), { causes: caused.map(({ cause }) => cause) });

/** Delays the mails that wait for a document. The consumer of documents enqueues them as soon as it is made. */
async function sendMails(caused: readonly Caused<"outbox">[], { outbox }: Deps): Promise<void> {
  for (const [delaySeconds, mails] of Map.groupBy(caused, ({ effect: { id } }) =>
    mailDelaySeconds(id),
  )) {
    const causes = mails.map(({ cause }) => cause);
    await outbox.send(effectsIn(mails), { causes, delaySeconds });
  }
}

const sendInOrder = (
  queue: FifoQueue,
  caused: readonly { cause: Cause; effect: FifoMessage }[],
): Promise<void> => queue.send(caused.map(({ cause, effect }) => ({ ...effect, cause })));

/**
 * Sends all changes of a batch that concern a read model as one message. All such messages are in one group, because
 * the read model has a single writer. The message's cause combines the causes of its changes.
 */
const sendToIndex = (
  queue: FifoQueue,
  caused: readonly { effect: object }[],
  dedupe: string,
): Promise<void> =>
  queue.send([{ body: { changes: distinct(effectsIn(caused)) }, group: "view", dedupe }]);
