import * as z from "zod";
import { Tally, difference, withinRoom } from "../../domain/metrics/metrics.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { addTally, readCrowdedRows } from "./metrics.ts";
import { retryOnConflict } from "../on-fresh.ts";
import type { Table } from "../table.ts";
import { put } from "../writes.ts";

export const CountedKind = z.enum(["order", "lead", "quote", "conversation", "message", "stock"]);
export type CountedKind = z.output<typeof CountedKind>;

export interface CountedThing {
  readonly kind: CountedKind;
  readonly id: string;
}

/** What of the metrics is owed to a thing that changes, so that a change of it can be told from a repetition. */
export const CountedThings = entity({
  name: "counted_thing",
  schema: z.object({ tally: Tally, version: z.int().min(1) }),
  key: ({ kind, id }: CountedThing) => ({ pk: `COUNTED#${kind}#${id}`, sk: "COUNTED" }),
});

/**
 * Brings the metrics up to what a thing amounts to now: adds the difference to what was counted of it before.
 *
 * The row is written even where nothing differs, and the thing is read after the row: whoever read the thing earlier
 * than somebody who has counted it since is refused and reads again. So news of it may come repeatedly, in any order
 * and at the same time.
 *
 * @param tallyNow reads the thing, strongly consistent
 */
export async function recount(
  table: Table,
  thing: CountedThing,
  tallyNow: () => Promise<Tally>,
): Promise<void> {
  const read = () => table.get(CountedThings, thing);
  await retryOnConflict(await read(), read, async (before) => {
    const now = await tallyNow();
    const key = `${thing.kind}#${thing.id}`;
    const tally = withinRoom(now, await readCrowdedRows(table, now, key));
    const version = (before?.version ?? 0) + 1;
    await table.transact([
      put(
        CountedThings,
        { ...thing, tally, version },
        before ? is("version", before.version) : isNew,
      ),
      ...addTally(difference(before?.tally ?? {}, tally), key),
    ]);
  });
}
