import type * as z from "zod";
import { UnreadableRow, keepUnknown, readRow } from "./read-row.ts";

/** Where an item stands. */
export interface Key {
  pk: string;
  sk: string;
}

export const indexNames = ["gsi1", "gsi2"] as const;
export type IndexName = (typeof indexNames)[number];

/** A key as people read it: what varies stands in angle brackets, such as `ORDERS#<month>`. */
export type KeyPattern = readonly [pk: string, sk: string];
type RecordSchema = z.ZodObject;

/** How a noun is kept in the table: its name, its shape, and the keys that follow from it. */
export interface Entity<Schema extends RecordSchema = RecordSchema, Id = never> {
  readonly name: string;
  readonly schema: Schema;
  /** The primary key, from what identifies a record. */
  key(id: Id): Key;
  /**
   * Its keys, where the functions that make them compute something, choose between keys or leave some records out;
   * else they are read from those functions. The key chart and what a function may touch follow from this.
   */
  readonly patterns: { readonly [Place in "table" | IndexName]?: readonly KeyPattern[] };
  /** It reads items of other entities, and is none of its own. */
  readonly readsOthers: boolean;
  /** Entries in the overloaded indexes; undefined leaves the record out of one (sparse). */
  readonly indexes: { [Index in IndexName]?: (record: z.output<Schema>) => Key | undefined };
  /** When the item may vanish by itself, in Unix seconds; undefined: never. Some items get it by updates alone. */
  readonly ttl: ((record: z.output<Schema>) => number | undefined) | "set by updates" | undefined;
}

/** Declares how a noun is kept. Everything the key chart says is read from these declarations. */
export function entity<Schema extends RecordSchema, Id>(declaration: {
  name: string;
  schema: Schema;
  key(id: Id): Key;
  patterns?: Entity<Schema, Id>["patterns"];
  readsOthers?: boolean;
  indexes?: Entity<Schema, Id>["indexes"];
  ttl?: Entity<Schema, Id>["ttl"];
}): Entity<Schema, Id> {
  const { indexes = {}, patterns = {}, readsOthers = false, ttl } = declaration;
  return { ...declaration, indexes, patterns, readsOthers, ttl };
}

/** Some members of an entity's records, for a function that needs no others. */
export interface Projection<Schema extends RecordSchema = RecordSchema, Id = never> {
  readonly name: string;
  readonly schema: Schema;
  key(id: Id): Key;
  readonly members: readonly string[];
}

/** What rows are read by. */
export type Readable<Schema extends RecordSchema = RecordSchema, Id = never> =
  | Entity<Schema, Id>
  | Projection<Schema, Id>;

/** Declares that a function reads these members alone; their shape stays the entity's. */
export function projection<Shape extends z.ZodRawShape, Id, Name extends keyof Shape & string>(
  of: Entity<z.ZodObject<Shape>, Id>,
  members: readonly Name[],
): Projection<z.ZodObject<Pick<Shape, Name>>, Id> {
  const shape = Object.fromEntries(members.map((name) => [name, true]));
  const schema = of.schema.pick(shape as never) as unknown as z.ZodObject<Pick<Shape, Name>>;
  return { name: of.name, schema, key: (id) => of.key(id), members };
}

/** An item as it is stored: the record with its keys around it. */
export type Item = Key & Record<string, unknown>;

/**
 * The item of a record. The record is checked against the schema, so that nothing is stored that could not be read.
 * Unknown members of the row that the record was read from stay.
 *
 * @throws ZodError when it does not fit
 */
export function itemOf<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  record: z.input<Schema> & Id,
): Item {
  const checked = of.schema.parse(record);
  const item: Item = { ...of.key(record), entity: of.name, ...checked };
  for (const index of indexNames) {
    const key = of.indexes[index]?.(checked);
    if (key) {
      item[`${index}pk`] = key.pk;
      item[`${index}sk`] = key.sk;
    }
  }
  const ttl = typeof of.ttl === "function" ? of.ttl(checked) : undefined;
  if (ttl !== undefined) item["ttl"] = ttl;
  keepUnknown(of.name, record, item);
  return item;
}

const storageAttributes = new Set([
  "pk",
  "sk",
  "gsi1pk",
  "gsi1sk",
  "gsi2pk",
  "gsi2sk",
  "entity",
  "ttl",
]);

/**
 * The record of an item, by its schema: see `readRow`. A projection's has its members alone.
 *
 * @throws UnreadableRow when the item does not fit
 */
export function recordOf<Schema extends RecordSchema, Id>(
  of: Readable<Schema, Id>,
  item: Record<string, unknown>,
): z.output<Schema> {
  const row: Record<string, unknown> = {};
  if ("members" in of) {
    for (const name of of.members) if (name in item) row[name] = item[name];
  } else for (const name in item) if (!storageAttributes.has(name)) row[name] = item[name];
  const read = readRow(of.schema, of.name, row);
  if ("misfit" in read) throw new UnreadableRow(of.name, printedKey(item), read.misfit);
  return read.record as z.output<Schema>;
}

/** Some keys hold an email or a phone number, which no log line does. */
const printedKey = ({ pk, sk }: Record<string, unknown>): string =>
  [pk, sk].map((key) => String(key).replaceAll(/[^#]*@[^#]*|\+\d{7,}/g, "…")).join(" ");
