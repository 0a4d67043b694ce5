import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { _Record } from "@aws-sdk/client-dynamodb-streams";
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { type ChangeSource, streamChanges } from "./change-source.ts";
import type { StoreFailedBatch } from "./failed-batches.ts";
import { lambdaContext, type LocalFunction } from "#infra/local/functions/lambda.ts";
import { backoff, interruptiblePause } from "./pause.ts";

export type StreamFunction = LocalFunction<DynamoDBStreamEvent, DynamoDBBatchResponse | void>;

export interface StreamPump {
  /** Returns the number of batches delivered so far. */
  handled(): number;
  /** Resolves when a pass that started after this call finds nothing new. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface StreamPumpOptions {
  readonly endpoint: string;
  readonly streamArn: string;
  /** Where the changes come from. Default: the stream at `endpoint`. */
  readonly openChanges?: (() => ChangeSource) | undefined;
  readonly batchSize: number;
  /** Prefixes of `pk`. Changes of other items are not delivered. */
  readonly partitions: readonly string[];
  /** Further prefixes of `pk`, for which only inserts are delivered. */
  readonly newIn: readonly string[];
  /** Further items, by a prefix of `pk` and by `sk`. Every change of one of them is delivered. */
  readonly rows: { readonly partition: string; readonly sortKeys: readonly string[] };
  /** A change that still fails at this age is passed to `store`, and later ones are delivered. */
  readonly maxAgeMs: number;
  readonly store: StoreFailedBatch;
  readonly target: StreamFunction;
  /** File that keeps the stream positions between runs. */
  readonly checkpointFile?: string | undefined;
  readonly report?: (problem: unknown, functionName: string) => void;
}

/** The pause between two reads. Lambda also reads a stream four times a second. */
const gatherMs = 250;
/** The same for a source that calls back after each change. */
const restMs = 60_000;

/** Delivers a table's stream, as Lambda's event source mapping does. */
export function startStreamPump(options: StreamPumpOptions): StreamPump {
  const { target, batchSize } = options;
  const report = options.report ?? ((problem, name) => console.error(`${name}:`, problem));
  const source = options.openChanges?.() ?? streamChanges(options);
  const stopping = new AbortController();
  let waiting: (() => void)[] = [];
  let pollNow = new AbortController();
  let handled = 0;
  source.onChange?.(() => pollNow.abort());

  async function invoke(records: DynamoDBRecord[]): Promise<DynamoDBRecord[]> {
    handled++;
    const answer = await target.handler({ Records: records }, lambdaContext(target, randomUUID()));
    const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ""));
    // Changes of a shard must stay in order, so the first failed one and all after it are retried.
    return first < 0 ? [] : records.slice(first);
  }

  /**
   * Retries without limit until the changes are too old. A batch that fails as a whole is halved, to isolate a bad
   * change.
   */
  async function deliver(batch: DynamoDBRecord[]): Promise<void> {
    let rest = batch;
    for (let attempt = 1; rest.length > 0; attempt++) {
      try {
        rest = await invoke(rest);
      } catch (problem) {
        report(problem, target.name);
        if (rest.length > 1) {
          const middle = Math.ceil(rest.length / 2);
          await deliver(rest.slice(0, middle));
          return deliver(rest.slice(middle));
        }
      }
      rest = await withoutOld(rest, attempt);
      if (rest.length === 0) return;
      await interruptiblePause(backoff(attempt), stopping.signal);
      stopping.signal.throwIfAborted();
    }
  }

  async function withoutOld(
    records: DynamoDBRecord[],
    attempts: number,
  ): Promise<DynamoDBRecord[]> {
    const limit = Date.now() - options.maxAgeMs;
    const isOld = ({ dynamodb }: DynamoDBRecord) =>
      (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000 < limit;
    const old = records.filter(isOld);
    if (old.length > 0) {
      const { streamArn } = options;
      await options.store(old, { functionName: target.name, streamArn, attempts });
      report(
        new Error(`Stored ${old.length} failed changes: they are too old to retry.`),
        target.name,
      );
    }
    return records.filter((record) => !isOld(record));
  }

  async function use(records: _Record[]): Promise<void> {
    const wanted = records.filter((record) => concerns(record, options) && hasChanged(record));
    for (let start = 0; start < wanted.length; start += batchSize) {
      stopping.signal.throwIfAborted();
      await deliver(
        wanted.slice(start, start + batchSize).map((record) => asEvent(record, options.streamArn)),
      );
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waiters = waiting;
      waiting = [];
      pollNow = new AbortController();
      let isFailed = false;
      try {
        const count = await source.read(use);
        if (count > 0) {
          waiting = [...waiters, ...waiting];
          if (waiting.length > 0) continue;
        } else {
          source.keepPosition();
          for (const resolve of waiters) resolve();
        }
      } catch (problem) {
        waiting = [...waiters, ...waiting];
        if (stopping.signal.aborted) break;
        report(problem, target.name);
        isFailed = true;
      }
      const isWoken = source.onChange !== undefined && !isFailed;
      await interruptiblePause(
        isWoken ? restMs : gatherMs,
        AbortSignal.any([stopping.signal, pollNow.signal]),
      );
    }
    for (const resolve of waiting) resolve();
  }

  const running = run();
  return {
    handled: () => handled,
    settled: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        pollNow.abort();
      }),
    async stop() {
      stopping.abort();
      await running;
      source.close();
    },
  };
}

function concerns(
  { eventName, dynamodb }: _Record,
  { partitions, newIn, rows }: Pick<StreamPumpOptions, "partitions" | "newIn" | "rows">,
): boolean {
  const pk = dynamodb?.Keys?.["pk"]?.S ?? "";
  const liesIn = (beginnings: readonly string[]) =>
    beginnings.some((beginning) => pk.startsWith(beginning));
  const isRow = liesIn([rows.partition]) && rows.sortKeys.includes(dynamodb?.Keys?.["sk"]?.S ?? "");
  return isRow || liesIn(partitions) || (eventName === "INSERT" && liesIn(newIn));
}

/** The emulator emits records for writes that change nothing; DynamoDB does not. */
function hasChanged({ eventName, dynamodb }: _Record): boolean {
  return eventName !== "MODIFY" || !isDeepStrictEqual(dynamodb?.OldImage, dynamodb?.NewImage);
}

function asEvent(record: _Record, eventSourceARN: string): DynamoDBRecord {
  const { ApproximateCreationDateTime: createdAt, ...change } = record.dynamodb ?? {};
  return {
    ...record,
    eventSourceARN,
    dynamodb: {
      ...change,
      ...(createdAt && { ApproximateCreationDateTime: createdAt.getTime() / 1000 }),
    },
  } as DynamoDBRecord;
}
