import { tableDefinition } from "#shared/storage/table-definition.ts";
import type { KeyCondition } from "./expressions.ts";
import { type Item, bytesOf, compareTexts } from "./values.ts";

/** An item with its size in bytes. */
export interface Row {
  readonly item: Item;
  readonly bytes: number;
}

/** The names of the key attributes of the table, or of an index. */
export interface Place {
  readonly index: string | undefined;
  readonly pk: string;
  readonly sk: string;
}

const table: Place = {
  index: undefined,
  pk: tableDefinition.partitionKey,
  sk: tableDefinition.sortKey,
};

/** The table and its indexes. */
export const places: readonly Place[] = [
  table,
  ...tableDefinition.indexes.map(({ name, partitionKey, sortKey }) => ({
    index: name,
    pk: partitionKey,
    sk: sortKey,
  })),
];

/** Partitions by partition key. A partition is never changed: a write replaces it. So copies share them. */
type Partitions = Map<string, readonly Row[]>;

/** The rows of a table, in the table and in its indexes, each partition in order. */
export type Rows = ReadonlyMap<string | undefined, Partitions>;

export const noRows = (): Rows => new Map(places.map(({ index }) => [index, new Map()]));

/** A copy that shares all partitions until one of the two changes them. */
export const copyOf = (rows: Rows): Rows =>
  new Map([...rows].map(([index, partitions]) => [index, new Map(partitions)]));

export const rowOf = (item: Item): Row => ({ item, bytes: bytesOf(item) });

const keyIn = (name: string, { item }: Row): string | undefined => {
  const key = item[name];
  return typeof key === "string" ? key : undefined;
};

/** Whether an item has a key in this place. The indexes are sparse. */
const isIn = (place: Place, row: Row): boolean =>
  keyIn(place.pk, row) !== undefined && keyIn(place.sk, row) !== undefined;

/** The order in a partition. Items with the same key in an index come by their primary key. */
function compareIn(place: Place, one: Item, other: Item): number {
  const order = compareTexts(String(one[place.sk]), String(other[place.sk]));
  if (order !== 0 || place === table) return order;
  return (
    compareTexts(String(one[table.pk]), String(other[table.pk])) ||
    compareTexts(String(one[table.sk]), String(other[table.sk]))
  );
}

/** The position of the first row that is not `before`. All rows before it are. */
function firstNot(rows: readonly Row[], before: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(rows[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findRow(rows: Rows, { pk, sk }: { pk: string; sk: string }): Row | undefined {
  const partition = rows.get(undefined)?.get(pk) ?? [];
  const row = partition[firstNot(partition, (each) => compareTexts(keyIn("sk", each)!, sk) < 0)];
  return row && row.item["sk"] === sk ? row : undefined;
}

/** Replaces a row by its next version in the table and in each index. */
export function replaceRow(rows: Rows, before: Row | undefined, after: Row | undefined): void {
  for (const place of places) {
    const partitions = rows.get(place.index)!;
    const old = before && isIn(place, before) ? before : undefined;
    const next = after && isIn(place, after) ? after : undefined;
    if (
      old &&
      next &&
      old.item[place.pk] === next.item[place.pk] &&
      compareIn(place, old.item, next.item) === 0
    ) {
      const [pk, partition, position] = positionOf(place, partitions, next);
      partitions.set(pk, partition.with(position, next));
      continue;
    }
    if (old) {
      const [pk, partition, position] = positionOf(place, partitions, old);
      if (partition.length === 1) partitions.delete(pk);
      else partitions.set(pk, partition.toSpliced(position, 1));
    }
    if (next) {
      const [pk, partition, position] = positionOf(place, partitions, next);
      partitions.set(pk, partition.toSpliced(position, 0, next));
    }
  }
}

function positionOf(place: Place, partitions: Partitions, row: Row) {
  const pk = String(row.item[place.pk]);
  const partition = partitions.get(pk) ?? [];
  const position = firstNot(partition, (each) => compareIn(place, each.item, row.item) < 0);
  return [pk, partition, position] as const;
}

/** The rows that a query may return, in its direction. */
export function rowsIn(
  rows: Rows,
  place: Place,
  { partition: pk, prefix, between }: KeyCondition,
  { newestFirst, after }: { newestFirst: boolean; after: Item | undefined },
): readonly Row[] {
  const partition = rows.get(place.index)?.get(pk) ?? [];
  const keyOf = (row: Row) => String(row.item[place.sk]);
  const low = prefix ?? between?.[0];
  let start =
    low === undefined ? 0 : firstNot(partition, (row) => compareTexts(keyOf(row), low) < 0);
  let end = partition.length;
  if (prefix !== undefined)
    end = firstNot(
      partition,
      (row) => compareTexts(keyOf(row), prefix) < 0 || keyOf(row).startsWith(prefix),
    );
  else if (between) end = firstNot(partition, (row) => compareTexts(keyOf(row), between[1]) <= 0);
  if (after) {
    const order = (row: Row) => compareIn(place, row.item, after);
    if (newestFirst)
      end = Math.min(
        end,
        firstNot(partition, (row) => order(row) < 0),
      );
    else
      start = Math.max(
        start,
        firstNot(partition, (row) => order(row) <= 0),
      );
  }
  const found = start < end ? partition.slice(start, end) : [];
  return newestFirst ? found.toReversed() : found;
}

/** Every row, by partition. */
export const everyRow = (rows: Rows): Row[] => [...(rows.get(undefined)?.values() ?? [])].flat();
