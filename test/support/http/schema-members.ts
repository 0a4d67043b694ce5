import * as z from "zod";

/** The members of a JSON Schema that the tests use. */
interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  maxItems?: number;
  format?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
}

export type MemberPath = readonly (string | number)[];

export interface Member {
  readonly path: MemberPath;
  /** JSON types that the schema allows here; empty if it does not restrict them. */
  readonly types: ReadonlySet<string>;
  /** The maximum length of a list. */
  readonly maxItems: number | undefined;
  /** The format of a text, such as `date-time`. */
  readonly format: string | undefined;
}

const known = new WeakMap<z.ZodType, readonly Member[]>();

/** Every member of a schema at any depth. The paths go to element 0 of a list, and to entry `x` of a map. */
export function membersOf(schema: z.ZodType): readonly Member[] {
  const members = known.get(schema) ?? findMembers(schema);
  known.set(schema, members);
  return members;
}

function findMembers(schema: z.ZodType): Member[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const members = new Map<string, Member>();

  const resolve = (of: JsonSchema): JsonSchema =>
    of.$ref === undefined ? of : resolve(root.$defs?.[of.$ref.replace("#/$defs/", "")] ?? {});

  const branches = (of: JsonSchema): JsonSchema[] => {
    const resolved = resolve(of);
    const parts = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? []), ...(resolved.allOf ?? [])];
    return [resolved, ...parts.flatMap(branches)];
  };

  const visit = (of: JsonSchema, path: MemberPath) => {
    const all = branches(of);
    if (path.length > 0) {
      const types = all.flatMap(typesOf);
      const maxItems = all.find((branch) => branch.maxItems !== undefined)?.maxItems;
      const format = all.find((branch) => branch.format !== undefined)?.format;
      members.set(path.join("."), { path, types: new Set(types), maxItems, format });
    }
    if (path.length > 8) return;
    for (const { properties = {}, items, additionalProperties } of all) {
      for (const [name, member] of Object.entries(properties)) visit(member, [...path, name]);
      if (items) visit(items, [...path, 0]);
      if (typeof additionalProperties === "object") visit(additionalProperties, [...path, "x"]);
    }
  };
  visit(root, []);
  return [...members.values()];
}

function typesOf({ type, const: only, enum: several }: JsonSchema): string[] {
  if (type !== undefined)
    return [type].flat().flatMap((one) => (one === "number" ? [one, "integer"] : one));
  return [...(several ?? []), ...(only === undefined ? [] : [only])].map(typeOf);
}

/** The JSON type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** A copy of `value` with one member set. Missing parents are created. */
export function withMember(value: unknown, path: MemberPath, member: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return member;
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[step] = withMember(list[step], rest, member);
    return list;
  }
  const record =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...record, [step]: withMember(record[step], rest, member) };
}
