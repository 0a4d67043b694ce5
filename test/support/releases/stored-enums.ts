import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Entity } from "#shared/storage/entity.ts";
import { rowsFolder } from "./row-sets.ts";

/** Stands for the coming release, which has no version number yet. */
export const next = "next";

/** A stored enum, such as `order.status` → a release → the values that this release is the first to read. */
export type EnumValues = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const enumValuesFile = new URL("enum-values.json", rowsFolder);
export const readEnumValues = (): EnumValues =>
  z
    .record(z.string(), z.record(z.string(), z.array(z.string())))
    .parse(JSON.parse(readFileSync(enumValuesFile, "utf8")));

/** Place of an enum in a row, from the outside in: names of members, `[]` for elements and `{}` for entries. */
type Path = readonly string[];

/** The text values that each enum of an entity's rows can have, by `<entity>.<path>`. */
export function enumsOf({ name, schema }: Pick<Entity, "name" | "schema">): Map<string, string[]> {
  const found = new Map<string, string[]>();
  collect(schema, [name], found);
  return found;
}

function collect(schema: z.core.$ZodType, path: Path, found: Map<string, string[]>): void {
  // The cast is safe: every schema of zod is one of `$ZodTypes`. `readRow` refuses the types that are missing below.
  const { def, values } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "enum":
    case "literal": {
      const texts = [...(values ?? [])].filter((value) => typeof value === "string");
      const key = path.join(".");
      found.set(key, [...new Set([...(found.get(key) ?? []), ...texts])].toSorted());
      return;
    }
    case "nullable":
    case "optional":
    case "default":
      return collect(def.innerType, path, found);
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
