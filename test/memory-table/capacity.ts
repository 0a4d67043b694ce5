import { isDeepStrictEqual } from "node:util";
import { type Place, type Row, places } from "./rows.ts";

/** The read units of a request that reads this many bytes. */
export const capacityOfRead = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / 4_096)) * (isConsistent ? 1 : 0.5);

const unitsOf = (row: Row | undefined): number => Math.max(1, Math.ceil((row?.bytes ?? 0) / 1_024));

/** The write units of a change, in the table and in its indexes. */
export function capacityOfWrite({
  before,
  after,
}: {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}): number {
  const [, ...indexes] = places;
  const own = Math.max(unitsOf(before), unitsOf(after));
  return indexes.reduce((sum, index) => sum + capacityIn(index, before, after), own);
}

function capacityIn({ pk, sk }: Place, before: Row | undefined, after: Row | undefined): number {
  const isIn = (row: Row | undefined) =>
    row?.item[pk] !== undefined && row.item[sk] !== undefined ? row : undefined;
  const [old, next] = [isIn(before), isIn(after)];
  if (!old || !next) return old || next ? unitsOf(old ?? next) : 0;
  if (isDeepStrictEqual(old.item, next.item)) return 0;
  // An entry that moves is deleted and written.
  if (old.item[pk] !== next.item[pk] || old.item[sk] !== next.item[sk])
    return unitsOf(old) + unitsOf(next);
  return Math.max(unitsOf(old), unitsOf(next));
}
