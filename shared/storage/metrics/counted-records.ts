import * as z from "zod";
import { Tally, difference } from "../../domain/metrics/metrics.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { addTallies, exceedsExpression, fitIntoRows, shardGroupOf } from "./metrics.ts";
import { at } from "../reads.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

export const CountedKind = z.enum(["order", "lead", "quote", "conversation", "message", "stock"]);
export type CountedKind = z.output<typeof CountedKind>;

export interface CountedRecord {
  readonly kind: CountedKind;
  readonly id: string;
}

/** A record's contribution to the metrics, as last counted. A repeated event therefore adds nothing. */
export const CountedRecords = entity({
  name: "counted_thing",
  notExported: "derived",
  schema: z.object({ tally: Tally, version: z.int().min(1) }),
  key: ({ kind, id }: CountedRecord) => ({ pk: `COUNTED#${kind}#${id}`, sk: "COUNTED" }),
});

const keyOf = ({ kind, id }: CountedRecord): string => `${kind}#${id}`;

/**
 * Groups records by the shard of their metrics. Transactions of different groups write different rows, so that they do
 * not conflict.
 */
export const byShard = <Counted extends CountedRecord>(
  records: readonly Counted[],
): Counted[][] => [...Map.groupBy(records, (record) => shardGroupOf(keyOf(record))).values()];

/** A transaction takes 100 writes. */
const mostWrites = 100;
/** Maximum number of records per transaction. */
const mostRecords = 25;

/** Reads records with strong consistency, and returns their current tallies in the same order. */
type TalliesNow<Counted> = (records: readonly Counted[]) => Promise<readonly Tally[]>;

/** What records last added to the metrics, and what they add now. */
interface Counting {
  readonly before: readonly (z.output<typeof CountedRecords.schema> | undefined)[];
  readonly now: readonly Tally[];
}

/** The records are read after the rows: see `recount`. */
async function readCounting<Counted extends CountedRecord>(
  table: Table,
  records: readonly Counted[],
  talliesNow: TalliesNow<Counted>,
): Promise<Counting> {
  const rows = records.map((record) => at(CountedRecords, record));
  const { before } = await table.getMany({ before: rows });
  return { before, now: await talliesNow(records) };
}

/** Recounts any number of distinct records. All are read together, and written in a transaction for each shard. */
export async function recountAll<Counted extends CountedRecord>(
  table: Table,
  records: readonly Counted[],
  talliesNow: TalliesNow<Counted>,
): Promise<void> {
  if (records.length === 0) return;
  const { before, now } = await readCounting(table, records, talliesNow);
  const place = new Map(records.map((record, position) => [record, position]));
  for (const ofShard of byShard(records)) {
    for (let start = 0; start < ofShard.length; start += mostRecords) {
      const some = ofShard.slice(start, start + mostRecords);
      const places = some.map((record) => place.get(record)!);
      await recount(table, some, talliesNow, {
        before: places.map((each) => before[each]),
        now: places.map((each) => now[each] ?? {}),
      });
    }
  }
}

/**
 * Updates the metrics to the current tallies of records, by adding the differences to what was counted before.
 *
 * A row is written for each record even if nothing differs, and the records are read after the rows. So the write of a
 * worker with an older read is refused, and the worker reads again. Events about a record may therefore arrive
 * repeatedly, in any order and concurrently.
 *
 * @param records distinct
 * @param first what the first attempt uses; default: it reads
 */
export async function recount<Counted extends CountedRecord>(
  table: Table,
  records: readonly Counted[],
  talliesNow: TalliesNow<Counted>,
  first?: Counting,
): Promise<void> {
  const read = () => readCounting(table, records, talliesNow);
  await retryOnConflict(first ?? (await read()), read, async ({ before, now }) => {
    const tallies = await fitIntoRows(
      table,
      records.map((record, position) => ({ key: keyOf(record), tally: now[position] ?? {} })),
    );
    const counted = records.map(({ kind, id }, position): Write => {
      const version = (before[position]?.version ?? 0) + 1;
      const { tally = {} } = tallies[position] ?? {};
      const condition = version === 1 ? isNew : is("version", version - 1);
      return put(CountedRecords, { kind, id, tally, version }, condition);
    });
    const added = tallies.map(({ key, tally }, position) => ({
      key,
      tally: difference(before[position]?.tally ?? {}, tally),
    }));
    const writes = [...counted, ...addTallies(added)];
    const isSmall = writes.length <= mostWrites && !writes.some(exceedsExpression);
    if (isSmall || records.length === 1) return table.transact(writes);
    const middle = Math.ceil(records.length / 2);
    await recount(table, records.slice(0, middle), talliesNow);
    return recount(table, records.slice(middle), talliesNow);
  });
}
