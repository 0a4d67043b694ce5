import { tableDefinition } from "#shared/storage/table-definition.ts";
import { invalid } from "./refusals.ts";
import { type Row, places, rowOf } from "./rows.ts";
import { type Item, storedItem } from "./values.ts";

const { partitionKey, sortKey } = tableDefinition;
const itemBytes = 400 * 1_024;
const mostBytes: Readonly<Record<string, number>> = Object.fromEntries(
  places.flatMap(({ pk, sk }) => [
    [pk, 2_048],
    [sk, 1_024],
  ]),
);

/** The primary key of an item. */
export const keyOf = (item: Item) => ({
  pk: String(item[partitionKey]),
  sk: String(item[sortKey]),
});

export function checkCount(count: number, most: number): void {
  if (count < 1 || count > most)
    throw invalid(`1 validation error detected: a request has 1 to ${most} members, not ${count}`);
}

export function checkDistinct(keys: readonly { pk: string; sk: string }[], message: string): void {
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size < keys.length)
    throw invalid(message);
}

export function checkedKey(key: Record<string, unknown> = {}): { pk: string; sk: string } {
  if (Object.keys(key).length !== 2)
    throw invalid("The provided key element does not match the schema");
  return { pk: checkedText(partitionKey, key), sk: checkedText(sortKey, key) };
}

export function checkedStart(key: Record<string, unknown>, names: ReadonlySet<string>): Item {
  if (Object.keys(key).length !== names.size) throw invalid("The provided starting key is invalid");
  for (const name of names) checkedText(name, key);
  return storedItem(key);
}

function checkedText(name: string, { [name]: value }: Item): string {
  if (typeof value !== "string") throw invalid(`Type mismatch for key ${name} expected: S`);
  if (value === "")
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  const most = mostBytes[name] ?? Infinity;
  // No character takes more than three bytes for each of its UTF-16 units.
  if (value.length * 3 > most && Buffer.byteLength(value) > most)
    throw invalid(`The size of the key ${name} has exceeded the limit of ${most} bytes`);
  return value;
}

/** Checks the keys of an item. Those of an index may be missing. */
export function checkedItem(item: Item): { pk: string; sk: string } {
  for (const { index, pk, sk } of places) {
    for (const name of [pk, sk])
      if (index === undefined || item[name] !== undefined) checkedText(name, item);
  }
  return keyOf(item);
}

export function checkedRow(item: Item): Row {
  checkedItem(item);
  const row = rowOf(item);
  if (row.bytes > itemBytes) throw invalid("Item size has exceeded the maximum allowed size");
  return row;
}
