import type * as z from "zod";
import { readRow } from "#shared/storage/read-row.ts";

/** The name of a member that a later release could add. */
export const laterMember = "member_of_a_later_release";
const mark = { [laterMember]: { added: ["later"] } };

/** A row with an unknown member in each of its objects. */
export function markedRow(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // The cast is safe: every Zod schema is one of `$ZodTypes`.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "nullable":
    case "optional":
    case "default":
      return markedRow(def.innerType, value);
    case "array":
      return Array.isArray(value) ? value.map((each) => markedRow(def.element, each)) : value;
    case "record":
      return mapped(value, (_name, each) => markedRow(def.valueType, each));
    case "union": {
      const option = def.options.find((each) => fits(each, value));
      return option ? markedRow(option, value) : value;
    }
    case "object":
      // The names of members are data here, so none of them is unknown.
      if (def.catchall) return value;
      return {
        ...mapped(value, (name, each) => {
          const member = def.shape[name];
          return member ? markedRow(member, each) : each;
        }),
        ...mark,
      };
    default:
      return value;
  }
}

const fits = (schema: z.core.$ZodType, value: object): boolean =>
  "record" in readRow(schema, "any", value as Record<string, unknown>);

const mapped = (value: object, change: (name: string, each: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(name, each)]));
