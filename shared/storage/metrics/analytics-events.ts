import * as z from "zod";
import {
  type StoredEvent,
  StoredEvent as StoredEventSchema,
} from "../../domain/metrics/analytics-event.ts";
import { type CountableEvent, Visit, countEvents } from "../../domain/metrics/event-metrics.ts";
import type { Day } from "../../domain/base/text.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { addTallies, fitIntoRows } from "./metrics.ts";
import { SearchDays, countSearches, searchShardsOf } from "./search-days.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { put } from "../writes.ts";

type EventId = Pick<StoredEvent, "session_id" | "event_id">;

const daySeconds = 86_400;
const inSeconds = (at: string) => Math.floor(Date.parse(at) / 1000);

/** Events from clients, kept for 90 days. A repeated event overwrites its row. */
export const AnalyticsEvents = entity({
  name: "analytics_event",
  notExported: "transient",
  schema: StoredEventSchema,
  key: ({ session_id, event_id }: EventId) => ({
    pk: `EVENT#${session_id}#${event_id}`,
    sk: "EVENT",
  }),
  ttl: ({ received_at }) => inSeconds(received_at) + 90 * daySeconds,
});

/** Marks an event as counted. The row is kept longer than any source can deliver the event again. */
export const CountedEvents = entity({
  name: "counted_event",
  notExported: "derived",
  schema: z.object({ day: z.string() }),
  key: ({ session_id, event_id }: EventId) => ({
    pk: `COUNTEDEVENT#${session_id}#${event_id}`,
    sk: "COUNTED",
  }),
  ttl: ({ day }) => inSeconds(day) + 120 * daySeconds,
});

/** The sessions of each day, with the members that metrics count. */
export const Visits = entity({
  name: "visit",
  notExported: "transient",
  schema: Visit,
  key: ({ session_id, day }: Pick<Visit, "session_id" | "day">) => ({
    pk: `VISIT#${session_id}`,
    sk: day,
  }),
  ttl: ({ day }) => inSeconds(day) + 30 * daySeconds,
});

/** Which of these events are stored. Another call may store more of them right after this read. */
export async function findStored(table: Table, ids: readonly EventId[]): Promise<boolean[]> {
  const { events } = await table.getMany({ events: ids.map((id) => at(AnalyticsEvents, id)) });
  return events.map((event) => event !== undefined);
}

/** Stores events with distinct ids. */
export const storeEvents = (table: Table, events: readonly StoredEvent[]): Promise<void> =>
  table.writeMany(events.map((event) => put(AnalyticsEvents, event)));

export interface CountingOptions {
  productOf(thing: string): string | undefined;
  readonly currency: string;
}

/**
 * Counts events of one day, each exactly once, even under repeated and concurrent calls. The marker of each event is
 * written in the transaction that updates the metrics.
 *
 * @param events at most 40, with about 200 items in total
 */
export async function countOnce(
  table: Table,
  day: Day,
  events: readonly CountableEvent[],
  options: CountingOptions,
): Promise<void> {
  const first = events[0];
  if (!first) return;
  const read = () => readCounted(table, day, events);
  await retryOnConflict(await read(), read, async ({ fresh, visits, searches }) => {
    if (fresh.length === 0) return;
    const counted = countEvents(day, fresh, { visits, ...options });
    const key = `${first.session_id}#${first.event_id}`;
    const tallies = await fitIntoRows(table, [{ key, tally: counted.tally }]);
    await table.transact([
      ...fresh.map((event) => put(CountedEvents, event, isNew)),
      ...counted.visits.map((visit) =>
        put(Visits, visit, visit.version === 1 ? isNew : is("version", visit.version - 1)),
      ),
      ...addTallies(tallies),
      ...countSearches(day, counted.searches, searches),
    ]);
  });
}

/** The events that are not counted yet, the stored visits of their sessions, and the rows that count their searches. */
async function readCounted(table: Table, day: Day, events: readonly CountableEvent[]) {
  const sessions = [...new Set(events.map(({ session_id }) => session_id))];
  const shards = searchShardsOf(events);
  const { counted, visits, searches } = await table.getMany({
    counted: events.map((event) => at(CountedEvents, event)),
    visits: sessions.map((session_id) => at(Visits, { session_id, day })),
    searches: shards.map((shard) => at(SearchDays, { day, shard })),
  });
  return {
    fresh: events.filter((_event, position) => !counted[position]),
    visits: visits.filter((visit) => visit !== undefined),
    searches: shards.map((shard, position) => ({ shard, stored: searches[position] })),
  };
}
