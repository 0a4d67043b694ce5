import type * as z from "zod";
import { type Cause, currentCause } from "../runtime/cause.ts";
import type { RecordReference, ReferredKind } from "../domain/base/references.ts";
import { isStreamed } from "./streamed.ts";
import { UnreadableRow, keepUnknown, readRow } from "./read-row.ts";

/** The primary key of an item, or its key in an index. */
export interface Key {
  pk: string;
  sk: string;
}

export const indexNames = ["gsi1", "gsi2"] as const;
export type IndexName = (typeof indexNames)[number];

/** A key for documentation: variable parts are in angle brackets, such as `ORDERS#<open status>`. */
export type KeyPattern = readonly [pk: string, sk: string];
type RecordSchema = z.ZodObject;

/**
 * Why no data export contains an entity.
 *
 * - `derived`: it is derived from other records, or counts, finds or locks them.
 * - `transient`: it serves only one call or message.
 * - `credential`: it grants access.
 * - `version`: it is an earlier version of a record.
 * - `personal`: it holds personal data outside orders.
 * - `internal`: it concerns only how staff work.
 * - `few`: its rows are so few that staff enter them again by hand.
 */
export type NotExported =
  | "derived"
  | "transient"
  | "credential"
  | "version"
  | "personal"
  | "internal"
  | "few";

/** The records that the records of an entity refer to. While one does, the other cannot be deleted. */
export interface Referring<Schema extends RecordSchema = RecordSchema> {
  /** The kinds that cannot be deleted. With `link`, these are also those to which a reference links. */
  readonly to: readonly (ReferredKind | "link")[];
  /** The references of a record. `rowStore` and documents also require that what a record newly refers to exists. */
  references(record: z.output<Schema>): RecordReference[];
  /** Where all records are listed. */
  readonly list?: {
    readonly index?: IndexName;
    readonly partition: string;
    readonly prefix?: string;
  };
  /** Instead of `list`, the key of the only record that refers to others. */
  readonly only?: Readonly<Record<string, string>>;
  /** The published copies, by slug, of records that have a draft. A copy may refer to what the draft no longer does. */
  readonly copies?: Entity<RecordSchema, { slug: string }>;
  /** How the error `in_use` names a record. Default: by the entity, and its id or slug. */
  readonly as?: { readonly kind: string; readonly id?: string };
  label(record: z.output<Schema>): string;
}

/** How one kind of record is stored in the table: its name, its schema and its keys. */
export interface Entity<Schema extends RecordSchema = RecordSchema, Id = never> {
  readonly name: string;
  readonly schema: Schema;
  /** The primary key, from a record's id. */
  key(id: Id): Key;
  /**
   * Key patterns. Declare them where a key function computes a value, chooses between keys or leaves some records
   * out; otherwise they are derived from the key functions. The key chart and the IAM policies are built from them.
   */
  readonly patterns: { readonly [Place in "table" | IndexName]?: readonly KeyPattern[] };
  /** True if the entity only reads items of other entities and has no items of its own. */
  readonly readsOthers: boolean;
  /** Why data exports do not contain the entity; undefined if one does. */
  readonly notExported?: NotExported;
  /**
   * Whether public answers show its records. A transaction that changes such a record also raises the public
   * generation, a counter that tells functions that their public answers in memory are outdated.
   */
  readonly isPublic?: boolean;
  /**
   * Whether its records show pictures of the media library. The library then lists them as uses of a picture, and
   * `rowStore` checks that new pictures exist. The lists in `pictured-entities.ts` are generated from it.
   */
  readonly showsPictures?: boolean;
  /** What its records refer to. The list in `referring-entities.ts` is generated from it. */
  readonly refers?: Referring<Schema>;
  /**
   * Keys in the overloaded indexes. An entry that returns undefined leaves the record out of that index (sparse
   * index).
   */
  readonly indexes: { [Index in IndexName]?: (record: z.output<Schema>) => Key | undefined };
  /**
   * What lists show of a record beyond members that they can read alone. Each put stores it beside the record, as
   * `listed`, so that a list need not read whole records: see `listRow`.
   */
  readonly listed?: (record: z.output<Schema>) => Record<string, unknown>;
  /**
   * When DynamoDB may delete the item, in Unix seconds; undefined if it never expires. Some entities set it by
   * updates only.
   */
  readonly ttl: ((record: z.output<Schema>) => number | undefined) | "set by updates" | undefined;
}

/** Declares how one kind of record is stored. The key chart is generated from these declarations. */
export function entity<Schema extends RecordSchema, Id>(declaration: {
  name: string;
  schema: Schema;
  key(id: Id): Key;
  patterns?: Entity<Schema, Id>["patterns"];
  readsOthers?: boolean;
  notExported?: NotExported;
  isPublic?: boolean;
  showsPictures?: boolean;
  refers?: Referring<Schema>;
  indexes?: Entity<Schema, Id>["indexes"];
  listed?: (record: z.output<Schema>) => Record<string, unknown>;
  ttl?: Entity<Schema, Id>["ttl"];
}): Entity<Schema, Id> {
  const { indexes = {}, patterns = {}, readsOthers = false, ttl } = declaration;
  return { ...declaration, indexes, patterns, readsOthers, ttl };
}

/** A subset of the members of an entity's records, for functions that need no other members. */
export interface Projection<Schema extends RecordSchema = RecordSchema, Id = never> {
  readonly name: string;
  readonly schema: Schema;
  key(id: Id): Key;
  readonly members: readonly string[];
}

/** An entity, or a projection of one: it determines how a row is read. */
export type Readable<Schema extends RecordSchema = RecordSchema, Id = never> =
  | Entity<Schema, Id>
  | Projection<Schema, Id>;

/** Declares a projection: it reads only these members, with the schema of the entity. */
export function projection<Shape extends z.ZodRawShape, Id, Name extends keyof Shape & string>(
  of: Entity<z.ZodObject<Shape>, Id>,
  members: readonly Name[],
): Projection<z.ZodObject<Pick<Shape, Name>>, Id> {
  const shape = Object.fromEntries(members.map((name) => [name, true]));
  // `pick` cannot type names that are only known as a type parameter.
  const schema = of.schema.pick(shape as never) as unknown as z.ZodObject<Pick<Shape, Name>>;
  return { name: of.name, schema, key: (id) => of.key(id), members };
}

/**
 * Declares what lists read of an entity's records: these members, and what the entity stores as `listed`.
 * `listed` is undefined for rows that were written without it.
 */
export function listRow<
  Shape extends z.ZodRawShape,
  Id,
  Name extends keyof Shape & string,
  Listed extends z.ZodObject,
>(
  of: Entity<z.ZodObject<Shape>, Id>,
  names: readonly Name[],
  listed: Listed,
): Projection<z.ZodObject<Pick<Shape, Name> & { listed: z.ZodOptional<Listed> }>, Id> {
  const { schema, members, ...rest } = projection(of, names);
  type Rows = z.ZodObject<Pick<Shape, Name> & { listed: z.ZodOptional<Listed> }>;
  // `extend` cannot type members that are only known as a type parameter.
  const rows = schema.extend({ listed: listed.optional() }) as unknown as Rows;
  return { ...rest, schema: rows, members: [...members, "listed"] };
}

/** An item as stored: the record with its keys. */
export type Item = Key & Record<string, unknown>;

/**
 * Builds the item of a record. The record is validated against the schema, so every stored item can be read. Unknown
 * members of the row that the record was read from are kept.
 *
 * @throws ZodError when the record does not match the schema
 */
export function itemOf<Schema extends RecordSchema, Id>(
  of: Entity<Schema, Id>,
  record: z.input<Schema> & Id,
): Item {
  const checked = of.schema.parse(record);
  const key = of.key(record);
  const item: Item = { ...key, entity: of.name, ...storedCause(key), ...checked };
  for (const index of indexNames) {
    const key = of.indexes[index]?.(checked);
    if (key) {
      item[`${index}pk`] = key.pk;
      item[`${index}sk`] = key.sk;
    }
  }
  if (of.listed) item["listed"] = of.listed(checked);
  const ttl = typeof of.ttl === "function" ? of.ttl(checked) : undefined;
  if (ttl !== undefined) item["ttl"] = ttl;
  keepUnknown(of.name, record, item);
  return item;
}

/** Maximum number of request ids in a stored cause. A batch of many changes would make rows large. */
const storedIds = 5;

/**
 * The attribute in which a row names the cause of its last write. Some rows have none: the stream's reader does not
 * pass on their changes.
 */
export function storedCause({ pk }: Key): { cause?: Cause } {
  if (!isStreamed(pk)) return {};
  const { request_id, trigger } = currentCause();
  const cause = {
    ...(request_id !== undefined && { request_id: request_id.split(" ", storedIds).join(" ") }),
    ...(trigger !== undefined && { trigger }),
  };
  return { cause };
}

const storageAttributes = new Set([
  "pk",
  "sk",
  "gsi1pk",
  "gsi1sk",
  "gsi2pk",
  "gsi2sk",
  "entity",
  "cause",
  "listed",
  "ttl",
]);

/**
 * Reads the record of an item by its schema: see `readRow`. A projection returns only its members.
 *
 * @throws UnreadableRow when the item does not match the schema
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
  // `readRow` has read it by this schema.
  return read.record as z.output<Schema>;
}

/** Masks emails and phone numbers in keys: log lines must not contain them. */
const printedKey = ({ pk, sk }: Record<string, unknown>): string =>
  [pk, sk].map((key) => String(key).replaceAll(/[^#]*@[^#]*|\+\d{7,}/g, "…")).join(" ");
