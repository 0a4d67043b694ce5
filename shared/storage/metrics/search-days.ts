import type { CountableEvent } from "../../domain/metrics/event-metrics.ts";
import type { DayRange } from "../../domain/metrics/insight-range.ts";
import {
  SearchDay,
  noSearches,
  queryOf,
  withSearches,
} from "../../domain/metrics/search-metrics.ts";
import type { Day } from "../../domain/base/text.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { shardOf } from "./metrics.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

/** The number of shards of a day. A query always has the same shard. */
const shards = 8;

const partitionOf = (shard: number) => `SEARCHES#${shard}`;

interface SearchDayId {
  readonly day: Day;
  readonly shard: number;
}

/** The searches of a day, one row per shard. A row has a limited number of queries. */
export const SearchDays = entity({
  name: "search_day",
  notExported: "derived",
  schema: SearchDay,
  key: ({ day, shard }: SearchDayId) => ({ pk: partitionOf(shard), sk: day }),
  patterns: { table: [["SEARCHES#<shard>", "<day>"]] },
});

/** The row of one shard; `stored` is undefined before its first search. */
export interface SearchShard {
  readonly shard: number;
  readonly stored: SearchDay | undefined;
}

const shardOfQuery = (query: string): number => shardOf(query, shards);

function byShard(events: readonly CountableEvent[]): Map<number, CountableEvent[]> {
  const shards = new Map<number, CountableEvent[]>();
  for (const event of events) {
    const query = queryOf(event);
    if (query === null) continue;
    const shard = shardOfQuery(query);
    shards.set(shard, [...(shards.get(shard) ?? []), event]);
  }
  return shards;
}

/** The shards that counting these events changes. */
export const searchShardsOf = (events: readonly CountableEvent[]): number[] => [
  ...byShard(events).keys(),
];

/**
 * The writes that count the searches of a day.
 *
 * @param rows the stored rows of the events' shards; the writes are refused if one has changed since it was read
 */
export function countSearches(
  day: Day,
  events: readonly CountableEvent[],
  rows: readonly SearchShard[],
): Write[] {
  const stored = new Map(rows.map((row) => [row.shard, row.stored]));
  return Array.from(byShard(events), ([shard, ofShard]) => {
    const before = stored.get(shard);
    const version = (before?.version ?? 0) + 1;
    const counted = withSearches(before ?? noSearches(day), ofShard);
    return put(
      SearchDays,
      { ...before, ...counted, version, shard },
      before ? is("version", before.version) : isNew,
    );
  });
}

/** The rows of the days of a range on which something was searched. */
export async function readSearches(table: Table, { from, to }: DayRange): Promise<SearchDay[]> {
  const ofShards = await Promise.all(
    Array.from({ length: shards }, (_, shard) => readShard(table, partitionOf(shard), [from, to])),
  );
  return ofShards.flat();
}

async function readShard(table: Table, partition: string, between: readonly [Day, Day]) {
  return (await table.page(SearchDays, { partition, between })).records;
}
