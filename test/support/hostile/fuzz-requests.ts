import * as fc from "fast-check";
import type { Described, Description, JsonSchema, Parameter } from "../http/description.ts";
import { jsonBodyOf } from "../http/description.ts";
import type { Learnt } from "./fuzz.ts";
import { arbitraryBy, typeOf } from "../http/schemas.ts";

/** The caller of a request. `colleague` is staff with few permissions. */
export const callers = ["guest", "customer", "owner", "colleague"] as const;
export type CallerName = (typeof callers)[number];

export interface FuzzRequest {
  readonly described: Described;
  readonly caller: CallerName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body; undefined for a request without a body. */
  readonly body: string | undefined;
}

const unlike: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  "",
  "x",
  "a".repeat(6_000),
  "nul\u0000byte",
  "half a pair \ud83e",
  [],
  {},
  [null],
];

const noJson: readonly string[] = ["", "{", "null", "[]", '"x"', "{}", '{"__proto__":{}}'];

/**
 * Generates requests that the OpenAPI document allows, and some that it almost allows.
 *
 * @param learnt names from the service's responses
 */
export function fuzzRequests(description: Description, { lists: known, members }: Learnt) {
  const arbitraryOf = arbitraryBy(description, members);

  function requestTo(described: Described): fc.Arbitrary<FuzzRequest> {
    const { path, operation } = described;
    const parameters = operation.parameters ?? [];
    const inPath = parameters.filter((each) => each.in === "path");
    const inQuery = parameters.filter((each) => each.in === "query");
    const inHeaders = parameters.filter((each) => each.in === "header");
    const body = jsonBodyOf(operation);
    return fc
      .record({
        caller: callerOf(described),
        variables: fc.record(
          Object.fromEntries(inPath.map((each) => [each.name, variable(path, each)])),
        ),
        query: fc.record(
          Object.fromEntries(inQuery.map((each) => [each.name, parameter(each, 3)])),
        ),
        headers: fc.record(
          Object.fromEntries(inHeaders.map((each) => [each.name, parameter(each, 9)])),
        ),
        body: body === undefined ? fc.constant(undefined) : bodyOf(body),
      })
      .map(({ caller, variables, query, headers, body: sent }) => ({
        described,
        caller,
        path: addressOf(path, variables, query),
        headers: headerFields(headers),
        body: sent,
      }));
  }

  /** A name from the parent list's responses if one fits; otherwise any value that fits the schema. */
  function variable(path: string, { name, schema }: Parameter): fc.Arbitrary<unknown> {
    const [above = ""] = path.split(`/{${name}}`);
    const listed = (known.get(above.replaceAll(/\{\w+\}/g, "")) ?? []).filter(
      (value) => schema.pattern === undefined || new RegExp(schema.pattern, "u").test(value),
    );
    const any = arbitraryOf(schema);
    const wrong = {
      arbitrary: fc.constantFrom("nothing", "0", " ", "\u0000", "../..", "%"),
      weight: 1,
    };
    return listed.length === 0
      ? fc.oneof({ arbitrary: any, weight: 9 }, wrong)
      : fc.oneof(
          { arbitrary: fc.constantFrom(...listed), weight: 14 },
          { arbitrary: any, weight: 2 },
          wrong,
        );
  }

  /** @param absent how often an optional member is omitted, relative to how often it is sent */
  const parameter = ({ schema, required }: Parameter, absent: number): fc.Arbitrary<unknown> =>
    fc.oneof(
      { arbitrary: fc.constant(undefined), weight: required ? 1 : absent * 9 },
      { arbitrary: arbitraryOf(schema), weight: 8 },
      { arbitrary: fc.constantFrom(...unlike.map(String)), weight: 1 },
    );

  function bodyOf(schema: JsonSchema): fc.Arbitrary<string> {
    const examples = [schema.example, ...(schema.examples ?? [])].filter(
      (each) => each !== undefined,
    );
    const made = arbitraryOf(schema);
    const good =
      examples.length === 0
        ? made
        : fc.oneof(made, fc.constantFrom(...examples), mixed(examples, made));
    return fc.oneof(
      { arbitrary: good.map((value) => JSON.stringify(value)), weight: 12 },
      { arbitrary: nearly(good).map((value) => JSON.stringify(value)), weight: 6 },
      { arbitrary: fc.constantFrom(...noJson), weight: 1 },
    );
  }

  return requestTo;
}

const present = (values: object): [string, string][] =>
  Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [[name, asText(value)]],
  );

/** The example with some generated members: such bodies pass validation more often and reach the domain rules. */
function mixed(examples: readonly unknown[], made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...examples), made, fc.infiniteStream(fc.boolean()))
    .map(([example, other, coins]) => {
      if (typeOf(example) !== "object" || typeOf(other) !== "object") return example;
      const members = Object.entries(other as object).filter(() => coins.next().value);
      return { ...(example as object), ...Object.fromEntries(members) };
    });
}

/** A valid value with one random change. */
function nearly(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      good,
      fc.nat(),
      fc.constantFrom("leave out", "replace", "add"),
      fc.constantFrom(...unlike),
    )
    .map(([value, position, what, other]) => changed(value, position, what, other));
}

function changed(value: unknown, position: number, what: string, other: unknown): unknown {
  if (typeof value !== "object" || value === null) return what === "replace" ? other : value;
  const members = Object.entries(value);
  if (what === "add" || members.length === 0) {
    return Array.isArray(value) ? [...(value as unknown[]), other] : { ...value, surprise: other };
  }
  const chosen = members[position % members.length];
  if (!chosen) return value;
  const [name, member] = chosen;
  const inside = typeof member === "object" && member !== null && position % 3 > 0;
  const next = inside ? changed(member, Math.floor(position / members.length), what, other) : other;
  if (what === "leave out" && !inside) {
    const rest = members.filter(([each]) => each !== name);
    return Array.isArray(value)
      ? rest.map(([, each]) => each as unknown)
      : Object.fromEntries(rest);
  }
  if (Array.isArray(value)) return value.with(Number(name), next);
  return { ...value, [name]: next };
}

/** Generates callers. Most of them may call the operation. */
function callerOf({ path, operation }: Described): fc.Arbitrary<CallerName> {
  const meant: CallerName = path.startsWith("/api/v1/admin/")
    ? "owner"
    : (operation.security ?? []).some((each) => "customer" in each)
      ? "customer"
      : "guest";
  return fc.oneof(
    { arbitrary: fc.constant(meant), weight: 9 },
    { arbitrary: fc.constantFrom(...callers), weight: 2 },
  );
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(",") : String(value);

/** API Gateway decodes a path before it routes, so these lead to another route, or to its own 400, however encoded. */
const routing = /[%?/]/g;

function addressOf(path: string, variables: object, query: object): string {
  const values = variables as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(asText(values[name]).toWellFormed().replaceAll(routing, "-") || " "),
  );
  const search = new URLSearchParams(
    present(query).map(([name, text]): [string, string] => [name, text.toWellFormed()]),
  ).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** HTTP headers cannot contain line breaks or characters beyond Latin-1. */
const headerFields = (headers: object): Record<string, string> =>
  Object.fromEntries(
    present(headers).map(([name, text]) => [name, text.replaceAll(/[^ -~]/g, "?").trim()]),
  );

/** The shell command that repeats the request. */
export function curlOf(
  baseUrl: string,
  { described: { method }, caller, path, headers, body }: FuzzRequest,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const fields = Object.entries({ authorization: `Bearer $${caller}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [
    `curl -i -X ${method} ${quoted(baseUrl + path)}`,
    ...fields.map((field) => `-H ${quoted(field)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" ");
}
