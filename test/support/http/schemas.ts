import * as z from "zod";
import type { JsonSchema, Description } from "./description.ts";
import * as fc from "fast-check";

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

/** Texts from the service's responses, such as ids of existing records. */
export type Vocabulary = readonly string[];

const mostItems = 3;
const deepest = 5;

/** Sample values for patterns with lookahead, which the generator does not support. */
const addresses = [
  "/about-us",
  "/products?tag=sale#top",
  "#top",
  "https://example.com/a-page?x=1",
  "https://shop.example",
  "mailto:asha@example.com",
  "tel:+919812345678",
  "asha.rao@example.com",
];

const formats: Record<string, fc.Arbitrary<string>> = {
  "date-time": fc
    .date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
    .map((at) => at.toISOString()),
  date: fc
    .date({ min: new Date("2020-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10)),
  email: fc.integer({ min: 0, max: 99_999 }).map((person) => `asha.${person}@example.com`),
  uri: fc.constantFrom(...addresses.filter((address) => address.startsWith("https:"))),
};

/**
 * @param members existing values by member name
 * @returns generators of values that fit a schema of the OpenAPI document
 */
export function arbitraryBy(description: Description, members: ReadonlyMap<string, Vocabulary>) {
  const vocabulary = [...new Set([...members.values()].flat())];

  function resolve(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.replace("#/components/schemas/", "");
    return resolve(description.components.schemas[name] ?? {});
  }

  function of(unresolved: JsonSchema, depth = 0, name = ""): fc.Arbitrary<unknown> {
    const schema = resolve(unresolved);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches)
      return fc.oneof(...shallowFirst(branches, depth).map((each) => of(each, depth, name)));
    if (schema.allOf) {
      return fc
        .tuple(...schema.allOf.map((each) => of(each, depth)))
        .map((parts) => Object.assign({}, ...parts) as unknown);
    }
    const [type, ...others] = [schema.type ?? []].flat();
    if (others.length > 0) {
      return fc.oneof(
        ...[type, ...others].map((each) => of({ ...schema, type: each ?? "null" }, depth)),
      );
    }
    switch (type) {
      case "string":
        return text(schema, name);
      case "integer":
      case "number":
        return integer(schema);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return list(schema, depth);
      case "object":
        return record(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  /** At the maximum depth, returns only the branches without members or elements, if there are any. */
  function shallowFirst(branches: JsonSchema[], depth: number): JsonSchema[] {
    if (depth < deepest) return branches;
    const plain = branches.filter((each) => !/object|array/.test(String(resolve(each).type)));
    return plain.length > 0 ? plain : branches;
  }

  const used = new Map<string, Vocabulary>();

  /** Existing values of members with this name that fit; if there are none, other existing values that fit. */
  function inUse(name: string, kind: string, fits: (value: string) => boolean): Vocabulary {
    const member = name.endsWith("_slug") && !members.has(name) ? "slug" : name;
    const key = `${members.has(member) ? member : ""} ${kind}`;
    const own = (members.get(member) ?? []).filter((value) => !used.has(key) && fits(value));
    const values = used.get(key) ?? (own.length > 0 ? own : vocabulary.filter(fits));
    used.set(key, values);
    return values;
  }

  function text(schema: JsonSchema, name = ""): fc.Arbitrary<string> {
    const { format, pattern, minLength = 0, maxLength = 5_000 } = schema;
    const expression = pattern === undefined ? undefined : new RegExp(pattern, "u");
    const fits = (value: string) =>
      value.length >= minLength && value.length <= maxLength && (expression?.test(value) ?? true);
    const known = inUse(name, `${pattern} ${minLength} ${maxLength}`, fits);
    const made =
      formats[format ?? ""] ?? (expression ? matching(expression, fits) : anyText(schema));
    return known.length === 0 || format !== undefined || !expression
      ? made
      : fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 4 }, made);
  }

  function matching(expression: RegExp, fits: (value: string) => boolean): fc.Arbitrary<string> {
    try {
      const made = fc.stringMatching(new RegExp(expression.source), { size: "small" });
      const example = fc.sample(made, { numRuns: 20, seed: 1 }).find(fits);
      if (example === undefined) return fc.constant("");
      return made.map((value) => (fits(value) ? value : example));
    } catch {
      return fc.constantFrom("", ...addresses).map((value) => (fits(value) ? value : "/about-us"));
    }
  }

  function list({ items = {}, minItems = 0, maxItems = mostItems }: JsonSchema, depth: number) {
    const most = depth < deepest ? Math.max(minItems, Math.min(maxItems, mostItems)) : minItems;
    return fc.array(of(items, depth + 1), { minLength: minItems, maxLength: most });
  }

  function record(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    if (Object.keys(properties).length === 0 && typeof additionalProperties === "object") {
      const names = propertyNames ? text(resolve(propertyNames)) : fc.string({ maxLength: 10 });
      return fc.dictionary(names, of(additionalProperties, depth + 1), { maxKeys: mostItems });
    }
    const declared = Object.entries(properties).filter(
      ([name, { not }]) => not === undefined && (depth < deepest || required.includes(name)),
    );
    return fc.record(
      Object.fromEntries(declared.map(([name, member]) => [name, of(member, depth + 1, name)])),
      { requiredKeys: required.filter((name) => name in properties) },
    );
  }

  return of;
}

function anyText({ minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 200)) };
  const plain = ["Grey linen", "oak,teak", "560001", "<p>Soft</p>"].filter(
    (value) => value.length >= minLength && value.length <= maxLength,
  );
  const made = [
    fc.string(length),
    fc.string({ ...length, unit: "binary" }).map((value) => value.slice(0, maxLength)),
  ];
  return fc.oneof(...(plain.length > 0 ? [fc.constantFrom(...plain)] : []), ...made);
}

function integer(schema: JsonSchema): fc.Arbitrary<number> {
  const { multipleOf: step = 1, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = Math.max(minimum ?? Number.MIN_SAFE_INTEGER, (exclusiveMinimum ?? -Infinity) + 1);
  const most = Math.min(maximum ?? Number.MAX_SAFE_INTEGER, (exclusiveMaximum ?? Infinity) - 1);
  const whole = { min: Math.ceil(least / step), max: Math.floor(most / step) };
  const near = Math.min(whole.max, Math.max(whole.min, 0) + 12);
  return fc
    .oneof(fc.integer({ min: Math.max(whole.min, -2), max: near }), fc.integer(whole))
    .map((value) => value * step);
}
