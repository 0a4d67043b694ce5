import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import type { CountableEvent } from "#shared/domain/metrics/event-metrics.ts";
import { countOnce } from "#shared/storage/metrics/analytics-events.ts";
import { byShard, recount } from "#shared/storage/metrics/counted-records.ts";
import { workThrough } from "../work-through.ts";
import type { Deps } from "./deps.ts";
import { type ChangedRecord, type MetricChange, MetricChanges, talliesOf } from "./tallies.ts";

/** Updates the metrics. Safe to repeat, to interrupt and to run concurrently. */
export async function consume({ Records }: SQSEvent, deps: Deps): Promise<SQSBatchResponse> {
  return workThrough(Records, MetricChanges, (changes) => count(changes, deps), deps.log);
}

async function count(changes: readonly MetricChange[], deps: Deps): Promise<void> {
  const { store } = await deps.settings.current();
  await countEvents(
    changes.filter((change) => change.kind === "event"),
    store.currency,
    deps,
  );
  const records = changes.filter((change): change is ChangedRecord => change.kind !== "event");
  for (const ofShard of byShard(records)) {
    for (let start = 0; start < ofShard.length; start += mostRecords) {
      await recount(deps.table, ofShard.slice(start, start + mostRecords), (some) =>
        talliesOf(some, deps.table, store.timezone),
      );
    }
  }
}

/** Maximum number of records per transaction. */
const mostRecords = 25;

/** Maximum number of events and of items per transaction. The transaction also updates the metrics rows. */
const [mostEvents, mostItems] = [40, 200];

async function countEvents(
  events: readonly CountableEvent[],
  currency: string,
  { table, things }: Deps,
): Promise<void> {
  const ids = await things.idsOf(events.flatMap(({ items }) => items.map(({ thing }) => thing)));
  const productOf = (thing: string) => ids.get(thing);
  for (const [day, ofDay] of Map.groupBy(events, (event) => event.day)) {
    for (const chunk of chunksOf(ofDay)) {
      await countOnce(table, day, chunk, { productOf, currency });
    }
  }
}

function chunksOf(events: readonly CountableEvent[]): CountableEvent[][] {
  const chunks: CountableEvent[][] = [];
  let items = 0;
  for (const event of events) {
    const last = chunks.at(-1);
    items += event.items.length;
    if (last && last.length < mostEvents && items <= mostItems) last.push(event);
    else {
      chunks.push([event]);
      items = event.items.length;
    }
  }
  return chunks;
}
