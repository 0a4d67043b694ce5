import * as z from "zod";
import type { Route } from "./route.ts";

type Schema = z.core.$ZodType;

type NameOf = (schema: Schema) => string | undefined;

/** A schema and the name of its export. */
export interface ExportedSchema {
  readonly name: string;
  readonly schema: Schema;
}

const idOf = (schema: Schema): string | undefined => z.globalRegistry.get(schema)?.id;

/**
 * The schema that the OpenAPI document shows instead of this one: its `describedAs`, if set. An unnamed copy, such as
 * one with an example, is shown as the schema that it was copied from.
 */
export function shownFor(schema: Schema, nameOf: NameOf = idOf): Schema {
  const { describedAs } = z.globalRegistry.get(schema) ?? {};
  // Zod's metadata is untyped. In this file `describedAs` is always a schema, and `param` an object.
  if (describedAs) return shownFor(describedAs as Schema, nameOf);
  const { parent } = schema._zod;
  return parent && nameOf(schema) === undefined ? shownFor(parent, nameOf) : schema;
}

/** Schemas inside arrays, unions and nullables always get a name, because client generators would invent poor ones. */
const kindsWithNamedParts = [z.ZodArray, z.ZodUnion, z.ZodNullable];

/**
 * Names the schemas of these routes, so that the OpenAPI document shows each as a component. The name is the schema's
 * `id`, the name of its export, or derived from the schema that contains it (`OrderTotals`). A schema that occurs only
 * once, as the value of a member, stays inline and has no name.
 *
 * @throws Error when two schemas would have one name
 */
export function nameSchemas(exported: readonly ExportedSchema[], routes: readonly Route[]): void {
  const exports = namesOfExports(exported);
  const exportNames = new Set(exports.values());
  const nameOf: NameOf = (schema) => idOf(schema) ?? exports.get(schema);
  const seen = new Map<Schema, { derivedName: string; needsName: boolean }>();

  /** @param isMember whether the schema is the value of a member, and so needs a name only if it occurs again */
  function visit(schema: Schema, derivedName: string, isMember = false): void {
    const shown = shownFor(schema, nameOf);
    const earlier = seen.get(shown);
    const needsName = earlier !== undefined || !isMember;
    seen.set(shown, { derivedName: earlier?.derivedName ?? derivedName, needsName });
    const name = nameOf(shown);
    const isShape = shown instanceof z.ZodObject;
    if (earlier && (isShape || name !== undefined)) return;
    const isOne = !kindsWithNamedParts.some((kind) => shown instanceof kind);
    for (const [part, within] of partsOf(shown, name ?? derivedName)) {
      visit(part, within, isShape || (isOne && (isMember || name !== undefined)));
    }
  }

  for (const { method, path, request, response } of routes) {
    const { data, meta } = response;
    const shown = data && nameOf(shownFor(data, nameOf));
    const fallback = nameOfPath(path, exportNames);
    if (data) visit(data, fallback);
    if (meta) visit(meta, `${fallback}Meta`);
    const isOfRecord = method !== "POST" || response.status === 201;
    const record = (isOfRecord ? shown : undefined) ?? fallback;
    if (request.body) visit(request.body, record + (method === "PATCH" ? "Patch" : "Input"));
  }

  const names = new Map<string, Schema>();
  for (const [schema, { derivedName, needsName }] of seen) {
    const isShape = schema instanceof z.ZodObject || schema instanceof z.ZodUnion;
    const name = nameOf(schema) ?? (needsName && isShape ? derivedName : undefined);
    if (name === undefined) continue;
    if (names.has(name)) {
      throw new Error(`Two schemas are named ${name}: give one an id with .meta().`);
    }
    names.set(name, schema);
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: name });
  }
}

/**
 * Schemas' names by their exports. An export with `describedAs` gives its name to the described schema, unless that
 * schema already has a name.
 */
function namesOfExports(exported: readonly ExportedSchema[]): ReadonlyMap<Schema, string> {
  const isItself = ({ schema }: ExportedSchema) => !z.globalRegistry.get(schema)?.["describedAs"];
  const names = new Map(
    exported.filter(isItself).map(({ schema, name }): [Schema, string] => [schema, name]),
  );
  const nameOf: NameOf = (schema) => idOf(schema) ?? names.get(schema);
  for (const { name, schema } of exported.filter((each) => !isItself(each))) {
    const shown = shownFor(schema, nameOf);
    if (nameOf(shown) === undefined) names.set(shown, name);
  }
  return names;
}

/**
 * `/admin/analytics/leads-funnel` gives `AnalyticsLeadsFunnel`; `/admin/pages` gives `AdminPages` if `Page` is taken.
 */
function nameOfPath(path: string, taken: ReadonlySet<string>): string {
  const name = path
    .split("/")
    .filter((part) => part !== "admin" && !part.startsWith("{"))
    .map(pascalCase)
    .join("");
  return taken.has(name) || taken.has(singular(name)) ? `Admin${name}` : name;
}

export const pascalCase = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The schemas inside a schema, each with a name derived from the outer one. */
function partsOf(schema: Schema, name: string): [part: Schema, name: string][] {
  if (schema instanceof z.ZodObject) {
    // `instanceof z.ZodObject` leaves `shape` typed as any.
    return Object.entries(schema.shape as z.core.$ZodShape).map(([member, part]) => [
      part,
      name + pascalCase(member),
    ]);
  }
  if (schema instanceof z.ZodArray) return [[schema.element, elementOf(name)]];
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => [option, name + optionName(option)]);
  }
  if (schema instanceof z.ZodRecord) return [[schema.valueType, elementOf(name)]];
  if (schema instanceof z.ZodPipe) {
    return [[isCompleted(schema) ? schema.out : schema.in, name]];
  }
  // Wrappers (optional, nullable, default) contain one schema.
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return innerType ? [[innerType, name]] : [];
}

/** Whether a transformation comes before the pipe's last schema, which is then the one that the document shows. */
const isCompleted = ({ in: before }: z.ZodPipe): boolean =>
  before instanceof z.ZodTransform ||
  (before instanceof z.ZodPipe && before.out instanceof z.ZodTransform);

const elementOf = (name: string): string =>
  singular(name) === name ? `${name}Item` : singular(name);

const singular = (name: string): string =>
  name.endsWith("Series") ? name : name.replace(/ies$/, "y").replace(/(?<![su])s$/, "");

/** The name of a union's option: its first constant, or else the name of its first member. */
function optionName(option: Schema): string {
  if (!(option instanceof z.ZodObject)) return "";
  const members = Object.entries(option.shape);
  const [constant = members[0]?.[0]] = members.flatMap(([, member]) => constantOf(member));
  return pascalCase(constant ?? "");
}

function constantOf(schema: Schema): string[] {
  if (schema instanceof z.ZodOptional) return constantOf(schema.unwrap());
  return schema instanceof z.ZodLiteral ? [String(schema.value)] : [];
}

/** The schema that the OpenAPI document shows for a parameter: its `describedAs`, or else the schema itself. */
export const parameterFor = (schema: Schema): Schema =>
  (z.globalRegistry.get(schema)?.["describedAs"] as Schema | undefined) ?? schema;

/** Copies the example of a request body to the body's component, unless the component has its own example. */
export function shareExamples(routes: readonly Route[]): void {
  for (const { request } of routes) {
    const { example } = (request.body && z.globalRegistry.get(request.body)) ?? {};
    if (!request.body || example === undefined) continue;
    const schema = shownFor(request.body);
    const metadata = z.globalRegistry.get(schema);
    if (idOf(schema) !== undefined && metadata?.["example"] === undefined) {
      z.globalRegistry.add(schema, { ...metadata, example });
    }
  }
}
