import { readFileSync, readdirSync } from "node:fs";
import type { Item, Entity } from "#shared/storage/entity.ts";
import * as z from "zod";
import type { Input, ItemRequest } from "#test/memory-table/requests.ts";
import { entitiesAt } from "#test/guards/table-uses.ts";

/** Rows as releases stored them: a file for each release, one row a line. */
export const rowsFolder = new URL("../../rows/", import.meta.url);

const suffix = ".jsonl";

/** Rows by release. */
export const rowSets = (): ReadonlyMap<string, readonly Item[]> =>
  new Map(
    readdirSync(rowsFolder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => [
        name.slice(0, -suffix.length),
        readFileSync(new URL(name, rowsFolder), "utf8")
          .trimEnd()
          .split("\n")
          // `next-set.ts` made each line from an item.
          .map((line) => JSON.parse(line) as Item),
      ]),
  );

export const rowSetOf = (release: string): URL => new URL(release + suffix, rowsFolder);

const mostRows = 4;

/** A few rows of each entity, chosen so that together they have as many different members as possible. */
export function chosenRows(rows: readonly Item[]): Item[] {
  const byEntity = Map.groupBy(rows, ({ entity }) => String(entity));
  return [...byEntity.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, all]) => {
      const seen = new Set<string>();
      const chosen: Item[] = [];
      for (const row of all.toSorted(
        (one, other) => featuresOf(other).size - featuresOf(one).size,
      )) {
        const features = featuresOf(row);
        if (features.isSubsetOf(seen) || chosen.length === mostRows) continue;
        chosen.push(row);
        for (const feature of features) seen.add(feature);
      }
      return chosen;
    });
}

/** The members of a value with their types. */
function featuresOf(value: unknown, path = ""): Set<string> {
  if (Array.isArray(value)) {
    return new Set(value.flatMap((each) => [...featuresOf(each, `${path}[]`)]));
  }
  if (typeof value === "object" && value !== null) {
    return new Set(
      Object.entries(value).flatMap(([name, each]) => [...featuresOf(each, `${path}.${name}`)]),
    );
  }
  return new Set([`${path} ${value === null ? "null" : typeof value}`]);
}

/** Stands for the coming release, which has no version number yet. */
export const next = "next";

/** A value of a stored enum; or null, of a member that was not nullable before. */
export type StoredValue = string | null;

/** A stored enum, such as `order.status` → a release → the values that this release is the first to read. */
export type EnumValues = Readonly<Record<string, Readonly<Record<string, readonly StoredValue[]>>>>;

export const enumValuesFile = new URL("enum-values.json", rowsFolder);
export const readEnumValues = (): EnumValues =>
  z
    .record(z.string(), z.record(z.string(), z.array(z.string().nullable())))
    .parse(JSON.parse(readFileSync(enumValuesFile, "utf8")));

/** The members that the latest release reads only as something else than null. */
export const neverNullFile = new URL("never-null.json", rowsFolder);
export const readNeverNull = (): readonly string[] =>
  z.array(z.string()).parse(JSON.parse(readFileSync(neverNullFile, "utf8")));

/** Place of an enum in a row, from the outside in: names of members, `[]` for elements and `{}` for entries. */
type Path = readonly string[];

type Shape = Pick<Entity, "name" | "schema">;

/** The text values that each enum of an entity's rows can have, by `<entity>.<path>`: also the kinds of a union. */
export const enumsOf = (entity: Shape): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...membersOf(entity)].flatMap(([path, values]) => {
      const texts = [...values].filter((value) => typeof value === "string");
      return texts.length > 0 ? [[path, texts.toSorted()]] : [];
    }),
  );

/** The members of an entity's rows that can be null, and those that cannot, each by `<entity>.<path>`. */
export function nullabilityOf(entity: Shape): {
  readonly nullable: readonly string[];
  readonly neverNull: readonly string[];
} {
  const members = membersOf(entity);
  const isNullable = (path: string) => members.get(path)?.has(null) ?? false;
  const paths = [...members.keys()].toSorted();
  return {
    nullable: paths.filter(isNullable),
    neverNull: paths.filter((path) => !isNullable(path)),
  };
}

/** Every member that a schema accepts, at any depth, with the constants that it may be: texts of an enum, and null. */
export function membersOf({ name, schema }: Shape): ReadonlyMap<string, ReadonlySet<unknown>> {
  const found = new Map<string, Set<unknown>>();
  collect(schema, [name], found);
  return found;
}

function collect(schema: z.core.$ZodType, path: Path, found: Map<string, Set<unknown>>): void {
  const key = path.join(".");
  const constants = found.get(key) ?? new Set();
  found.set(key, constants);
  // The cast is safe: every schema of zod is one of `$ZodTypes`. `readRow` refuses the types that are missing below.
  const { def, values } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "enum":
    case "literal":
      for (const value of values ?? []) constants.add(value);
      return;
    case "null":
      constants.add(null);
      return;
    case "nullable":
      constants.add(null);
      return collect(def.innerType, path, found);
    case "optional":
    case "nonoptional":
    case "default":
    case "prefault":
    case "readonly":
      return collect(def.innerType, path, found);
    case "pipe":
      // A preprocessing transform tells nothing about its input.
      return collect(def.in._zod.def.type === "transform" ? def.out : def.in, path, found);
    case "array":
      return collect(def.element, [...path, "[]"], found);
    case "record":
      return collect(def.valueType, [...path, "{}"], found);
    case "union":
      for (const option of def.options) collect(option, path, found);
      return;
    case "object":
      for (const [name, member] of Object.entries(def.shape)) {
        collect(member, [...path, name], found);
      }
      return;
    default:
  }
}

/** The values that a row has at a path: several if the path leads through lists or maps. */
export function valuesAt(value: unknown, [name, ...rest]: Path): unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const below: unknown[] =
    name === "[]" || name === "{}"
      ? Object.values(value)
      : Object.entries(value).flatMap(([member, each]: [string, unknown]) =>
          member === name ? [each] : [],
        );
  return below.flatMap((each) => valuesAt(each, rest));
}

export interface EarlyValue {
  readonly entity: string;
  readonly path: readonly string[];
  readonly value: StoredValue;
}

/** Values that the coming release is the first to read: the previous release would fail on rows with them. */
export const earlyValuesOf = (enums: EnumValues): EarlyValue[] =>
  Object.entries(enums).flatMap(([name, byRelease]) => {
    const [entity = "", ...path] = name.split(".");
    return (byRelease[next] ?? []).map((value) => ({ entity, path, value }));
  });

/** The values of an enum that the previous release can read. */
export function earlierValues(
  enums: EnumValues,
  { entity, path }: Pick<EarlyValue, "entity" | "path">,
): StoredValue[] {
  const { [next]: _coming, ...earlier } = enums[[entity, ...path].join(".")] ?? {};
  return Object.values(earlier).flat();
}

const writesIn = ({ TransactItems, RequestItems, ...request }: Input): ItemRequest[] => [
  request,
  ...(TransactItems ?? []).flatMap((item) => Object.values(item)),
  ...Object.values(RequestItems ?? {}).flatMap((each) =>
    "Keys" in each ? [] : each.flatMap(({ PutRequest }) => PutRequest ?? []),
  ),
];

/** A text that names an early value that the DynamoDB request writes; undefined if it writes none. */
export function earlyWrite(early: readonly EarlyValue[], request: Input): string | undefined {
  if (early.length === 0) return undefined;
  for (const write of writesIn(request)) {
    const found = early.find((each) => writes(write, each));
    if (found) return `${found.entity}.${found.path.join(".")} = ${found.value}`;
  }
  return undefined;
}

function writes(write: ItemRequest, { entity, path, value }: EarlyValue): boolean {
  const { Item, Key, ExpressionAttributeValues } = write;
  if (Item) {
    return Item["entity"] === entity && valuesAt(Item, path).includes(value);
  }
  if (!Key || !ExpressionAttributeValues) return false;
  const { pk, sk } = Key as { pk: string; sk: string };
  const isOfEntity = entitiesAt("table", { pk, from: sk, to: sk }).some((name) => name === entity);
  if (!isOfEntity) return false;
  // Null may be the new value of another member.
  if (value === null) return assigned(write).some((row) => valuesAt(row, path).includes(null));
  return Object.values(ExpressionAttributeValues).includes(value);
}

/** The members that an update sets to values, each as an object with this member alone. */
function assigned({
  UpdateExpression = "",
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: ItemRequest): object[] {
  return [...UpdateExpression.matchAll(/([#\w.]+) = (:\w+)/g)].map(([, place = "", value = ""]) =>
    place
      .split(".")
      .map((name) => names[name] ?? name)
      .reduceRight<object>((inner, name) => ({ [name]: inner }), values[value] as object),
  );
}
