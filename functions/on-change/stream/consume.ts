import { namesOf } from "#shared/domain/base/members.ts";
import { hash } from "node:crypto";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import type { FifoQueue } from "#shared/queues/queue.ts";
import { distinct } from "../distinct.ts";
import type { Deps } from "./deps.ts";
import { type Effects, effectsOf } from "./effects.ts";
import { metricMessages } from "./metric-changes.ts";
import { orderNameMessages } from "./order-name-changes.ts";

interface ReadRecord {
  readonly record: DynamoDBRecord;
  readonly effects: Effects;
}

/**
 * The only reader of the table's stream: enqueues the work of every consumer. Safe to repeat, because every consumer
 * is. A record that cannot be read is stored in the bucket of failed changes and blocks nothing. If a queue does not
 * accept its messages, the batch is retried from the first record for that queue.
 */
export async function consume(
  { Records }: DynamoDBStreamEvent,
  deps: Deps,
): Promise<DynamoDBBatchResponse> {
  const read: ReadRecord[] = [];
  const unreadable: { record: DynamoDBRecord; cause: unknown }[] = [];
  for (const record of Records) {
    try {
      read.push({ record, effects: effectsOf(record) });
    } catch (cause) {
      unreadable.push({ record, cause });
    }
  }
  const failed = await Promise.all([
    ...unreadable.map(({ record, cause }) => setAside(record, cause, deps)),
    ...queueNames.map((name) => enqueue(name, read, deps)),
  ]);
  const first = Records.find((record) => failed.includes(record));
  return {
    batchItemFailures: first ? [{ itemIdentifier: first.dynamodb?.SequenceNumber ?? "" }] : [],
  };
}

/** @returns the record, if storing it failed too */
async function setAside(
  record: DynamoDBRecord,
  cause: unknown,
  { failedChanges, log }: Deps,
): Promise<DynamoDBRecord | undefined> {
  const { eventID } = record;
  try {
    await failedChanges.add(record);
    log.error("Change stored for replay: it cannot be read", {
      event_id: eventID,
      cause,
    });
    return undefined;
  } catch (error) {
    log.error("Change not stored for replay", { event_id: eventID, cause: error });
    return record;
  }
}

/** @returns the first record whose messages may not be enqueued */
async function enqueue(
  name: keyof Effects,
  read: readonly ReadRecord[],
  deps: Deps,
): Promise<DynamoDBRecord | undefined> {
  const concerned = read.filter(({ effects }) => effects[name].length > 0);
  if (concerned.length === 0) return undefined;
  const effects = concerned.flatMap((each) => [...each.effects[name]]);
  const batch = concerned.map(({ record }) => record.eventID).join();
  try {
    // Both are of the queue `name`, which TypeScript cannot tell of a union.
    const send = senders[name] as Send<keyof Effects>;
    // As above.
    await send(effects as unknown as Effects[keyof Effects], deps, hash("sha256", batch, "hex"));
    return undefined;
  } catch (cause) {
    deps.log.error("Changes not enqueued", { queue: name, count: effects.length, cause });
    return concerned[0]?.record;
  }
}

type Send<Name extends keyof Effects> = (
  effects: Effects[Name],
  deps: Deps,
  dedupe: string,
) => Promise<void>;

const senders: { readonly [Name in keyof Effects]: Send<Name> } = {
  outbox: (messages, { outbox }) => outbox.send(messages),
  media: (messages, { media }) => media.send(messages),
  mediaUses: (messages, { mediaUses }) => mediaUses.send(messages),
  whatsApp: (messages, { whatsApp }) => whatsApp.send(messages),
  inboxFiles: (messages, { inboxFiles }) => inboxFiles.send(messages),
  metrics: (changes, { metrics }) => metrics.send(metricMessages(changes)),
  orderNames: (changes, { orderNames }) => orderNames.send(orderNameMessages(changes)),
  catalogIndex: (changes, { catalogIndex }, dedupe) => sendToIndex(catalogIndex, changes, dedupe),
  staffIndex: (changes, { staffIndex }, dedupe) => sendToIndex(staffIndex, changes, dedupe),
};
const queueNames = namesOf(senders);

/** All changes of a read model are in one group: its only writer processes them one after the other. */
const sendToIndex = (queue: FifoQueue, changes: readonly object[], dedupe: string): Promise<void> =>
  queue.send([{ body: { changes: distinct(changes) }, group: "view", dedupe }]);
