import type { Shop } from "#shared/application/shop.ts";
import { hash } from "node:crypto";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { namesOf } from "#shared/domain/base/members.ts";
import { type Cause, because, causeOfAll } from "#shared/runtime/cause.ts";
import { causeOfChange } from "#shared/storage/stream.ts";
import { type Effect, type Effects, type EffectQueue, effectsOf, senders } from "./effects.ts";
import { openFailedChanges } from "./failed-changes.ts";
import { simulatorAddress } from "#shared/mail/simulator.ts";
import { type Counted, count } from "#shared/runtime/count.ts";
import { OrderTimeline, Orders } from "#shared/storage/order/orders.ts";

/** The queues of all consumers, and the bucket of changes that cannot be read. */
export type StreamShop = Shop<`${EffectQueue}Queue` | "failedChangeFiles" | "log">;

interface ReadRecord {
  readonly record: DynamoDBRecord;
  readonly cause: Cause;
  readonly effects: Effects;
}

/**
 * The only reader of the table's stream: enqueues the work of every consumer. Safe to repeat, because every consumer is
 * idempotent. A record that cannot be read is stored in the bucket of failed changes and does not block the others. If
 * a queue does not accept its messages, the batch is retried from the first record for that queue.
 */
export async function onChangeStream(
  { Records }: DynamoDBStreamEvent,
  shop: StreamShop,
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
      because(causeOfChange(record), () => setAside(record, cause, shop)),
    ),
    ...namesOf(senders).map((name) => enqueue(name, effectsFor(name, read), shop)),
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
  { failedChangeFiles, log }: StreamShop,
): Promise<DynamoDBRecord | undefined> {
  const { eventID } = record;
  try {
    await openFailedChanges(failedChangeFiles).add(record);
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

const effectsFor = <Name extends EffectQueue>(
  name: Name,
  read: readonly ReadRecord[],
): Effect<Name>[] =>
  read.flatMap(({ record, cause, effects }) => {
    const message = effects[name];
    return message === undefined ? [] : [{ record, cause, message }];
  });

/** @returns undefined if the queue accepted all messages; otherwise the first record with a message for this queue */
async function enqueue<Name extends EffectQueue>(
  name: Name,
  effects: readonly Effect<Name>[],
  shop: StreamShop,
): Promise<DynamoDBRecord | undefined> {
  const [first] = effects;
  if (!first) return undefined;
  const batch = effects.map(({ record }) => record.eventID).join();
  return because(causeOfAll(effects.map(({ cause }) => cause)), async () => {
    try {
      await senders[name](effects, shop[`${name}Queue`], hash("sha256", batch, "hex"));
      return undefined;
    } catch (cause) {
      shop.log.error("Table changes not enqueued: the stream retries them", {
        queue: name,
        count: effects.length,
        cause,
      });
      return first.record;
    }
  });
}

/**
 * Timeline entries of orders that are counted for operators, and the name of each metric. It does not matter which
 * function wrote the entry.
 */
const countedEntries: ReadonlyMap<string | undefined, Counted> = new Map([
  ["paid", "OrdersPaid"],
  ["payment_failed", "PaymentFailures"],
]);

/**
 * Counts new orders, payments and failed payments for operators. A retried batch is counted again, so these counts may
 * be too high. The metrics in the back office are exact.
 */
export async function countOrders(records: readonly DynamoDBRecord[]): Promise<void> {
  for (const { eventName, dynamodb } of records) {
    const name = eventName === "INSERT" ? countedIn(dynamodb?.NewImage ?? {}) : undefined;
    if (name) await count(name);
  }
}

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;

/**
 * Returns the metric that a new row increments; undefined if it increments none. New orders of the smoke test are not
 * counted; their email is the address of SES's simulator.
 */
function countedIn({ entity, type, customer }: Image): Counted | undefined {
  if (entity?.S === OrderTimeline.name) return countedEntries.get(type?.S);
  const isPlaced = entity?.S === Orders.name && customer?.M?.["email"]?.S !== simulatorAddress;
  return isPlaced ? "OrdersPlaced" : undefined;
}
