import type * as z from "zod";

type Members = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** The row being read, and the path to the member that does not match, starting with the outermost member. */
interface Reading {
  readonly entity: string;
  readonly path: string[];
}

/**
 * Checks a stored value. Returns the value, a copy if members are missing or unknown, or `misfit` if the value does not
 * match.
 */
type Reader = (value: unknown, reading: Reading) => unknown;

const misfit = Symbol("misfit");

/**
 * Members that the schema does not declare, as a newer release writes them. They are stored under a symbol: spreading
 * a record copies them, but responses, comparisons by name and strict schemas do not see them.
 */
const unknownMembers = Symbol("unknown members");

interface UnknownMembers {
  /**
   * The entity of the row. The members are restored only into a row of the same entity: a published copy receives none
   * of its draft's members.
   */
  readonly entity: string;
  readonly members: Members;
}

/**
 * A stored row that does not match its schema. The message contains no member's value, because values may be personal
 * data.
 */
export class UnreadableRow extends TypeError {
  override readonly name = "UnreadableRow";

  constructor(entity: string, key: string, path: readonly string[]) {
    super(`A stored row does not fit the schema of ${entity}: ${key}, at ${path.join("")}`);
  }
}

/**
 * Reads a stored row by its schema: types, literals and enums must match, absent members get their defaults, and
 * unknown members are kept for `keepUnknown`. Lengths, patterns and ranges are checked on write only, so a stricter
 * rule makes no stored row unreadable.
 *
 * @returns the record, or the path to the member that does not match
 */
export function readRow(
  schema: Schema,
  entity: string,
  row: Members,
): { record: Members } | { misfit: readonly string[] } {
  const reading: Reading = { entity, path: [] };
  const record = readerOf(schema)(row, reading);
  // The schema of a row is an object, so its reader returns one.
  return record === misfit ? { misfit: reading.path } : { record: record as Members };
}

/** Copies the unknown members of a read record into the row that it is stored as. */
export function keepUnknown(entity: string, record: unknown, row: unknown): void {
  if (record === row || !isObject(record) || !isObject(row)) return;
  // Only `objectReader` sets this member, so it has this type.
  const kept = (record as { [unknownMembers]?: UnknownMembers })[unknownMembers];
  if (kept?.entity === entity) {
    for (const name in kept.members) if (!(name in row)) row[name] = kept.members[name];
  }
  for (const name in row) keepUnknown(entity, record[name], row[name]);
}

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Memoized, because schemas share parts, such as amounts and pictures. */
const readers = new WeakMap<Schema, Reader>();

function readerOf(schema: Schema): Reader {
  const known = readers.get(schema);
  if (known) return known;
  const reader = newReader(schema);
  readers.set(schema, reader);
  return reader;
}

/**
 * Creates the reader of a schema.
 *
 * @throws TypeError for schemas that rows cannot have, such as transforms: their output would not match their input
 */
function newReader(schema: Schema): Reader {
  // Every schema that zod creates has one of these types.
  const { def, values } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
      return (value) => (typeof value === def.type ? value : misfit);
    case "null":
      return (value) => (value === null ? value : misfit);
    case "literal":
    case "enum":
      // `has` accepts any value, although its type does not.
      return (value) => (values?.has(value as string) ? value : misfit);
    case "unknown":
      return (value) => value;
    case "never":
      return () => misfit;
    case "nullable": {
      const read = readerOf(def.innerType);
      return (value, reading) => (value === null ? value : read(value, reading));
    }
    case "optional": {
      const read = readerOf(def.innerType);
      const hasDefault = def.innerType._zod.optin === "optional";
      return (value, reading) =>
        value === undefined && !hasDefault ? value : read(value, reading);
    }
    case "default": {
      const read = readerOf(def.innerType);
      return (value, reading) => (value === undefined ? def.defaultValue : read(value, reading));
    }
    case "array":
      return arrayReader(def);
    case "record":
      return recordReader(def);
    case "union":
      return unionReader(def);
    case "object":
      return objectReader(def);
    default:
      throw new TypeError(`A row's schema cannot contain the type ${def.type}`);
  }
}

function arrayReader({ element }: z.core.$ZodArrayDef): Reader {
  const read = readerOf(element);
  return (value, reading) => {
    if (!Array.isArray(value)) return misfit;
    const elements: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (const [position, before] of elements.entries()) {
      const after = read(before, reading);
      if (after === misfit) return misfitAt("[]", reading);
      if (after !== before) (copy ??= [...elements])[position] = after;
    }
    return copy ?? value;
  };
}

function recordReader({ valueType }: z.core.$ZodRecordDef): Reader {
  const read = readerOf(valueType);
  return (value, reading) => {
    if (!isObject(value)) return misfit;
    let copy: Members | undefined;
    for (const name in value) {
      const after = read(value[name], reading);
      // The path shows `{}` instead of the name, which may be user input, such as the code of an option.
      if (after === misfit) return misfitAt("{}", reading);
      if (after !== value[name]) (copy ??= { ...value })[name] = after;
    }
    return copy ?? value;
  };
}

/** Returns the first option that matches, or the one that the discriminator names. */
function unionReader(def: z.core.$ZodUnionDef & { discriminator?: string }): Reader {
  const { discriminator, options } = def;
  if (discriminator === undefined) {
    const read = options.map(readerOf);
    return (value, reading) => {
      for (const option of read) {
        const after = option(value, reading);
        if (after !== misfit) return after;
        reading.path.length = 0;
      }
      return misfit;
    };
  }
  const byKind = new Map(
    options.flatMap((option) =>
      Array.from(
        option._zod.propValues?.[discriminator] ?? [],
        (kind) => [kind, readerOf(option)] as const,
      ),
    ),
  );
  return (value, reading) => {
    // `get` accepts any value, although its type does not.
    const read = isObject(value) && byKind.get(value[discriminator] as string);
    return read ? read(value, reading) : misfitAt(`.${discriminator}`, reading);
  };
}

function objectReader({ shape, catchall }: z.core.$ZodObjectDef): Reader {
  const rest = catchall && catchall._zod.def.type !== "never" ? readerOf(catchall) : undefined;
  const members = new Map(Object.entries(shape).map(([name, member]) => [name, readerOf(member)]));
  return (value, reading) => {
    if (!isObject(value)) return misfit;
    let copy: Members | undefined;
    for (const [name, read] of members) {
      const before = value[name];
      const after = read(before, reading);
      if (after === misfit) return misfitAt(`.${name}`, reading);
      if (after !== before) (copy ??= { ...value })[name] = after;
    }
    let unknown: Members | undefined;
    for (const name in value) {
      if (members.has(name)) continue;
      if (!rest) {
        (unknown ??= {})[name] = value[name];
        continue;
      }
      const after = rest(value[name], reading);
      if (after === misfit) return misfitAt("{}", reading);
      if (after !== value[name]) (copy ??= { ...value })[name] = after;
    }
    if (!unknown) return copy ?? value;
    copy ??= { ...value };
    for (const name in unknown) delete copy[name];
    return Object.assign(copy, { [unknownMembers]: { entity: reading.entity, members: unknown } });
  };
}

function misfitAt(place: string, { path }: Reading): typeof misfit {
  path.unshift(place);
  return misfit;
}
