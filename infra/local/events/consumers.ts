import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DynamoDBStreamEvent, SQSEvent, ScheduledEvent } from "aws-lambda";
import type { Consumer } from "#functions/consumers.ts";
import { type QueueName, queues as shapes } from "#functions/queues.ts";
import { type Clock, startClock } from "./clock.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import type { DynamoDb } from "#infra/local/emulators/dynamodb.ts";
import { openFailedBatches } from "./failed-batches.ts";
import { type Gate, aGate } from "./gate.ts";
import type { ConsumerFunctions } from "#infra/local/functions/load-consumer.ts";
import { inProcess } from "#infra/local/emulators/in-process.ts";
import { type ObjectStorage, buckets } from "#infra/local/emulators/object-storage.ts";
import { type QueuePump, startQueuePump } from "./queue-pump.ts";
import { type StreamPump, startStreamPump } from "./stream-pump.ts";

interface Sources {
  readonly functions: ConsumerFunctions;
  readonly environment: Readonly<Record<string, string>>;
  readonly dynamoDb: DynamoDb;
  readonly storage: ObjectStorage;
  readonly dataDir?: string | undefined;
}

export interface RunningConsumers {
  /** Resolves when all changes so far have been processed, and all changes that the processing has caused. */
  settled(): Promise<void>;
  /** Stops delivering until `resume`. Resolves when the invocations in progress have finished. */
  pause(): Promise<void>;
  resume(): void;
  /** Resumes the consumers of the indexes' queues first, and the others when those queues are empty. */
  resumeWithIndexes(): Promise<void>;
  stop(): Promise<void>;
}

/** The queues of the indexes, without which the service can list nothing. */
const indexes: ReadonlySet<QueueName> = new Set(["catalog-index", "staff-index"]);

/** Invokes the consumers of streams and queues, as Lambda's event source mappings do. */
export async function startConsumers(
  consumers: readonly Consumer[],
  sources: Sources,
): Promise<RunningConsumers> {
  const streams: StreamPump[] = [];
  const queues: QueuePump[] = [];
  const [ofIndexes, ofOthers] = [aGate(), aGate()];
  /** The queues that have a consumer in this stack. */
  const delivered = new Set<QueueName>();
  for (const consumer of consumers) {
    const { source } = consumer;
    if (source.kind === "stream") streams.push(await pumpStream(consumer, sources, ofOthers));
    if (source.kind === "queue") {
      const gate = indexes.has(source.queue) ? ofIndexes : ofOthers;
      delivered.add(source.queue);
      queues.push(await pumpQueue(consumer, sources, gate));
    }
  }
  const pumps = [...streams, ...queues];
  const handled = () => pumps.reduce((sum, pump) => sum + pump.handled(), 0);
  const resume = () => {
    ofIndexes.open();
    ofOthers.open();
  };

  return {
    async settled() {
      for (;;) {
        const before = handled();
        await Promise.all(streams.map((stream) => stream.settled()));
        while (!sources.storage.drained(delivered)) await delay(5);
        // A consumer may have changed the table after the stream was read, so this repeats until nothing more was
        // handled.
        if (handled() === before) return;
      }
    },
    async pause() {
      await Promise.all([ofIndexes.shut(), ofOthers.shut()]);
    },
    resume,
    async resumeWithIndexes() {
      ofIndexes.open();
      while (!sources.storage.drained(indexes.intersection(delivered))) await delay(5);
      resume();
    },
    async stop() {
      resume();
      await Promise.all(pumps.map((pump) => pump.stop()));
    },
  };
}

/** Invokes the scheduled functions, as EventBridge does. */
export async function startSchedules(
  consumers: readonly Consumer[],
  { functions, environment }: Pick<Sources, "functions" | "environment">,
): Promise<Clock> {
  const clocks: Clock[] = [];
  for (const consumer of consumers) {
    if (consumer.source.kind !== "schedule") continue;
    const target = await functions.consumer<ScheduledEvent>(consumer, environment);
    clocks.push(startClock(target, consumer.source.everyMinutes));
  }
  return {
    async stop() {
      await Promise.all(clocks.map((clock) => clock.stop()));
    },
  };
}

async function pumpStream(consumer: Consumer, sources: Sources, gate: Gate): Promise<StreamPump> {
  const { source } = consumer;
  if (source.kind !== "stream") throw new TypeError(`${consumer.name} reads no stream`);
  const target = await sources.functions.consumer<DynamoDBStreamEvent>(
    consumer,
    sources.environment,
  );
  return startStreamPump({
    endpoint: sources.dynamoDb.endpoint,
    streamArn: sources.dynamoDb.streamArn,
    openChanges: sources.dynamoDb.openChanges,
    batchSize: source.batchSize,
    partitions: source.partitions,
    newIn: source.newIn,
    rows: source.rows,
    maxAgeMs: source.maxAgeHours * 3_600_000,
    store: openFailedBatches(
      openObjectStore({
        bucket: buckets.failedChanges,
        endpoint: sources.storage.endpoint,
        requestHandler: inProcess,
      }),
    ),
    target: gate.behind(target),
    checkpointFile: sources.dataDir && join(sources.dataDir, `${consumer.name}.checkpoint.json`),
  });
}

async function pumpQueue(consumer: Consumer, sources: Sources, gate: Gate): Promise<QueuePump> {
  const { source } = consumer;
  if (source.kind !== "queue") throw new TypeError(`${consumer.name} reads no queue`);
  const target = await sources.functions.consumer<SQSEvent>(consumer, sources.environment);
  return startQueuePump({
    endpoint: sources.storage.endpoint,
    queueUrl: sources.storage.queueUrl(source.queue),
    batchSize: source.batchSize,
    target: gate.behind(target),
    waiting: shapes[source.queue].fifo
      ? (groups) => sources.storage.waiting(source.queue, groups)
      : undefined,
  });
}
