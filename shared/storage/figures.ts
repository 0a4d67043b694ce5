import { hash } from "node:crypto";
import * as z from "zod";
import {
  type FigureTopic,
  type Figures,
  type Period,
  type RowName,
  type Tally,
  needsRoom,
} from "../domain/figures.ts";
import { entity } from "./entity.ts";
import { at } from "./reads.ts";
import type { Table } from "./table.ts";
import { type Write, update } from "./writes.ts";

/** So many rows share what is added to one, so that whoever counts at the same time seldom meets. */
const shardsOf: Readonly<Record<FigureTopic, number>> = {
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
const partitionOf = (topic: FigureTopic, scale: Scale, shard: number) =>
  `FIGURES#${topic}#${scale}#${shard}`;

interface FigureRow {
  readonly topic: FigureTopic;
  readonly period: Period;
  readonly shard: number;
}

/** One row per topic, period and shard; its figures are attributes, so that adding to one reads none. */
export const FigureRows = entity({
  name: "figures",
  schema: z.object({ period: z.string() }).catchall(z.union([z.string(), z.int()])),
  key: ({ topic, period, shard }: FigureRow) => ({
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

function rowAt(name: RowName, key: string): FigureRow {
  const [topic, period = ""] = name.split("#") as [FigureTopic, Period?];
  const number = Number.parseInt(hash("sha256", key, "hex").slice(0, 8), 16);
  return { topic, period, shard: number % shardsOf[topic] };
}

const figuresIn = (row: Readonly<Record<string, unknown>> = {}): Figures =>
  Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );

function sumOfRows(rows: readonly Figures[]): Figures {
  const sum = new Map<string, number>();
  for (const [name, by] of rows.flatMap((row) => Object.entries(row))) {
    sum.set(name, (sum.get(name) ?? 0) + by);
  }
  return Object.fromEntries(sum);
}

/**
 * Adds a tally to the figures. DynamoDB bears about 250 figures of one row at a time.
 *
 * @param key chooses the shard: the same for one thing each time
 */
export const addTally = (tally: Tally, key: string): Write[] =>
  (Object.entries(tally) as [RowName, Figures][]).map(([name, figures]) => {
    const row = rowAt(name, key);
    const set = { entity: FigureRows.name, period: row.period };
    return update(FigureRows, row, { add: { ...figures }, set });
  });

/** The rows of a tally in which room may be short, as they stand. */
export async function readCrowdedRows(
  table: Table,
  tally: Tally,
  key: string,
): Promise<ReadonlyMap<RowName, Figures>> {
  const names = (Object.keys(tally) as RowName[]).filter(needsRoom);
  if (names.length === 0) return new Map();
  const { rows } = await table.getMany({
    rows: names.map((name) => at(FigureRows, rowAt(name, key))),
  });
  return new Map(names.map((name, position) => [name, figuresIn(rows[position])]));
}

export interface FigureRange {
  readonly topic: FigureTopic;
  /** Both included; both days, or both months. */
  readonly from: Period;
  readonly to: Period;
}

/** The figures of every period in a range that has some. It costs a query per shard, however much was counted. */
export async function readFigures(
  table: Table,
  { topic, from, to }: FigureRange,
): Promise<ReadonlyMap<Period, Figures>> {
  const shards = Array.from({ length: shardsOf[topic] }, (_, shard) =>
    readShard(table, partitionOf(topic, scaleOf(from), shard), [from, to]),
  );
  const byPeriod = Map.groupBy((await Promise.all(shards)).flat(), ({ period }) => period);
  return new Map(
    Array.from(byPeriod, ([period, rows]) => [period, sumOfRows(rows.map(figuresIn))]),
  );
}

async function readShard(table: Table, partition: string, between: readonly [Period, Period]) {
  const rows: z.output<typeof FigureRows.schema>[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query(FigureRows, { partition, between, after });
    rows.push(...page.records);
    after = page.next;
  } while (after);
  return rows;
}

/** What is so at present. */
export async function readStanding(table: Table): Promise<Figures> {
  const shards = Array.from({ length: shardsOf.standing }, (_, shard) => shard);
  const { rows } = await table.getMany({
    rows: shards.map((shard) => at(FigureRows, { topic: "standing", period: "now", shard })),
  });
  return sumOfRows(rows.map(figuresIn));
}
