import type { Shop } from "#shared/application/shop.ts";
import type { CountableEvent } from "#shared/domain/metrics/event-metrics.ts";
import type { MetricChange } from "#shared/queues/queue-messages.ts";
import { countOnce } from "#shared/storage/metrics/analytics-events.ts";
import { recountAll } from "#shared/storage/metrics/counted-records.ts";
import { type ChangedRecord, talliesOf } from "./tallies.ts";

/** Counts events, and counts changed records anew. May be repeated, interrupted and run concurrently. */
export async function countChanges(
  changes: readonly MetricChange[],
  shop: Shop<"table" | "settings" | "soldItems", "store">,
): Promise<void> {
  const { store } = await shop.settings.current();
  await countEvents(
    changes.filter((change) => change.kind === "event"),
    store.currency,
    shop,
  );
  const records = changes.filter((change): change is ChangedRecord => change.kind !== "event");
  await recountAll(shop.table, records, (some) => talliesOf(some, shop.table, store.timezone));
}

/** Maximum number of events and of items per transaction. The transaction also updates the metrics rows. */
const [mostEvents, mostItems] = [40, 200];

async function countEvents(
  events: readonly CountableEvent[],
  currency: string,
  { table, soldItems: things }: Shop<"table" | "settings" | "soldItems", "store">,
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
