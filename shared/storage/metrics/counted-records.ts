import * as z from "zod";
import { Tally, difference, withinRoom } from "../../domain/metrics/metrics.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { addTally, readCrowdedRows } from "./metrics.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import type { Table } from "../table.ts";
import { put } from "../writes.ts";

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

/**
 * Updates the metrics to a record's current tally by adding the difference to what was counted before.
 *
 * The row is written even if nothing differs, and the record is read after the row. So the write of a worker with an
 * older read is refused, and the worker reads again. Events about the record may therefore arrive repeatedly, in any
 * order and concurrently.
 *
 * @param tallyNow reads the record, strongly consistent
 */
export async function recount(
  table: Table,
  thing: CountedRecord,
  tallyNow: () => Promise<Tally>,
): Promise<void> {
  const read = () => table.get(CountedRecords, thing);
  await retryOnConflict(await read(), read, async (before) => {
    const now = await tallyNow();
    const key = `${thing.kind}#${thing.id}`;
    const tally = withinRoom(now, await readCrowdedRows(table, now, key));
    const version = (before?.version ?? 0) + 1;
    await table.transact([
      put(
        CountedRecords,
        { ...thing, tally, version },
        before ? is("version", before.version) : isNew,
      ),
      ...addTally(difference(before?.tally ?? {}, tally), key),
    ]);
  });
}
