import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Entity } from "#shared/storage/entity.ts";
import { rowsFolder } from "./row-sets.ts";

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
