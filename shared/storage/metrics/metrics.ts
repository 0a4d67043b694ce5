import { membersOf } from "../../domain/base/members.ts";
import { hash } from "node:crypto";
import * as z from "zod";
import {
  type MetricTopic,
  type Metrics,
  type Period,
  type RowName,
  type Tally,
  needsRoom,
  withinRoom,
} from "../../domain/metrics/metrics.ts";
import { entity } from "../entity.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";
import { type Write, update } from "../writes.ts";

/** The number of shards per topic. Sharding keeps concurrent writers from conflicting. */
const shardsOf: Readonly<Record<MetricTopic, number>> = {
  events: 4,
  traffic: 4,
  products: 4,
  sales: 4,
  leads: 2,
  messages: 2,
  standing: 4,
};

type Scale = "day" | "month";
const scaleOf = (period: Period): Scale => (period.length === 7 ? "month" : "day");
const partitionOf = (topic: MetricTopic, scale: Scale, shard: number) =>
  `FIGURES#${topic}#${scale}#${shard}`;

interface MetricRow {
  readonly topic: MetricTopic;
  readonly period: Period;
  readonly shard: number;
}

/** One row per topic, period and shard. Each metric is an attribute, so an increment needs no read. */
export const MetricRows = entity({
  name: "metrics",
  notExported: "derived",
  schema: z.object({ period: z.string() }).catchall(z.union([z.string(), z.int()])),
  key: ({ topic, period, shard }: MetricRow) => ({
    pk: partitionOf(topic, scaleOf(period), shard),
    sk: period,
  }),
  patterns: {
    table: [
      ["FIGURES#<topic>#day#<shard>", "<day>"],
      ["FIGURES#<topic>#month#<shard>", "<month>"],
    ],
  },
});

const numberOf = (key: string): number =>
  Number.parseInt(hash("sha256", key, "hex").slice(0, 8), 16);

/** The shard of a key, from 0 to below `shards`. */
export const shardOf = (key: string, shards: number): number => numberOf(key) % shards;

/** Keys of one group have the same shard of each topic, because each number of shards divides the number of groups. */
export const shardGroupOf = (key: string): number =>
  numberOf(key) % Math.max(...Object.values(shardsOf));

function rowAt(name: RowName, key: string): MetricRow {
  // A RowName is a topic, or a topic and a period.
  const [topic, period = ""] = name.split("#") as [MetricTopic, Period?];
  return { topic, period, shard: shardOf(key, shardsOf[topic]) };
}

const metricsIn = (row: Readonly<Record<string, unknown>> = {}): Metrics =>
  Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );

function sumOfRows(rows: readonly Metrics[]): Metrics {
  const sum = new Map<string, number>();
  for (const [name, by] of rows.flatMap((row) => Object.entries(row))) {
    sum.set(name, (sum.get(name) ?? 0) + by);
  }
  return Object.fromEntries(sum);
}

/** A tally, and the key that selects the shard of its rows: always the same for one record. */
export interface KeyedTally {
  readonly key: string;
  readonly tally: Tally;
}

const placesOf = ({ key, tally }: KeyedTally) =>
  membersOf(tally).map(([name, metrics]) => ({ name, metrics, row: rowAt(name, key) }));
const idOf = ({ topic, period, shard }: MetricRow) => `${topic}#${period}#${shard}`;

/** Adds tallies to the metrics, with one update per row. */
export function addTallies(tallies: readonly KeyedTally[]): Write[] {
  const rows = new Map<string, { row: MetricRow; parts: Metrics[] }>();
  for (const { row, metrics } of tallies.flatMap(placesOf)) {
    const known = rows.get(idOf(row));
    if (known) known.parts.push(metrics);
    else rows.set(idOf(row), { row, parts: [metrics] });
  }
  return Array.from(rows.values(), ({ row, parts }) => {
    const add = Object.fromEntries(Object.entries(sumOfRows(parts)).filter(([, by]) => by !== 0));
    return update(MetricRows, row, { add, set: { entity: MetricRows.name, period: row.period } });
  });
}

/** Maximum number of metrics per update. More names would not fit into the 4 KB of its expression. */
const mostMetrics = 250;

/** Whether an update adds to more metrics than fit into its expression. */
export const exceedsExpression = (write: Write): boolean =>
  write.kind === "update" && Object.keys(write.changes.add ?? {}).length > mostMetrics;

/**
 * Returns the tallies, in which names beyond a row's limit are counted together as others. The names in the stored row
 * and in earlier tallies count against the limit.
 */
export async function fitIntoRows(
  table: Table,
  tallies: readonly KeyedTally[],
): Promise<KeyedTally[]> {
  const limited = tallies.flatMap(placesOf).filter(({ name }) => needsRoom(name));
  if (limited.length === 0) return [...tallies];
  const { stored } = await table.getMany({ stored: limited.map(({ row }) => at(MetricRows, row)) });
  const rows = new Map(
    limited.map(({ row }, position) => [idOf(row), metricsIn(stored[position])]),
  );
  return tallies.map(({ key, tally }) => {
    const named = new Map(
      placesOf({ key, tally }).map(({ name, row }) => [name, rows.get(idOf(row))]),
    );
    const fitted = { key, tally: withinRoom(tally, named) };
    for (const { row, metrics } of placesOf(fitted)) {
      const before = rows.get(idOf(row));
      if (before) rows.set(idOf(row), { ...before, ...metrics });
    }
    return fitted;
  });
}

export interface MetricRange {
  readonly topic: MetricTopic;
  /** The first and the last period, either both days or both months. */
  readonly from: Period;
  readonly to: Period;
}

/** The metrics of a range, for each period in which something was counted. It takes one query per shard. */
export async function readMetrics(
  table: Table,
  { topic, from, to }: MetricRange,
): Promise<ReadonlyMap<Period, Metrics>> {
  const shards = Array.from({ length: shardsOf[topic] }, (_, shard) =>
    readShard(table, partitionOf(topic, scaleOf(from), shard), [from, to]),
  );
  const byPeriod = Map.groupBy((await Promise.all(shards)).flat(), ({ period }) => period);
  return new Map(
    Array.from(byPeriod, ([period, rows]) => [period, sumOfRows(rows.map(metricsIn))]),
  );
}

async function readShard(table: Table, partition: string, between: readonly [Period, Period]) {
  return (await table.page(MetricRows, { partition, between })).records;
}

/** The current totals, such as open orders. */
export async function readCurrentTotals(table: Table): Promise<Metrics> {
  const shards = Array.from({ length: shardsOf.standing }, (_, shard) => shard);
  const { rows } = await table.getMany({
    rows: shards.map((shard) => at(MetricRows, { topic: "standing", period: "now", shard })),
  });
  return sumOfRows(rows.map(metricsIn));
}
