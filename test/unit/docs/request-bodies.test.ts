// @module-tag slow
import * as fc from "fast-check";
import { test } from "vitest";
import { description } from "#functions/docs/description.ts";
import { fuzzRequests } from "#test/support/hostile/fuzz-requests.ts";
import {
  type Description,
  jsonBodyOf,
  judgeBy,
  operationsOf,
  resolved,
} from "#test/support/http/description.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

const document = resolved(JSON.parse(await description()) as Description);
const judge = judgeBy(document);
const requestTo = fuzzRequests(document, { lists: new Map(), members: new Map() });
const schemas = new Map(everyRoute.map(({ key, route }) => [key, route.request.body]));

/** As people type: in the other case, or with a space around it or within it. */
const typed = (text: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    ` ${text} `,
    `${text.slice(0, 3)} ${text.slice(3)}`,
  );

/** `format` is an annotation of JSON Schema, and our emails may have spaces around them. */
const isOfFormat = (difference: string) => difference.includes("must match format");

/** The body with one of its texts as people type it, or with null for one of its members. */
function retyped(value: unknown, position: number): fc.Arbitrary<unknown> {
  if (typeof value === "string") return typed(value);
  if (typeof value !== "object" || value === null) return fc.constant(value);
  const members = Object.entries(value) as [string, unknown][];
  const [name, member] = members[position % Math.max(1, members.length)] ?? [];
  if (name === undefined) return fc.constant(value);
  const within = retyped(member, Math.floor(position / members.length));
  return fc
    .oneof({ arbitrary: within, weight: 4 }, fc.constant(null))
    .map((next) =>
      Array.isArray(value) ? value.with(Number(name), next) : { ...value, [name]: next },
    );
}

test.each(
  operationsOf(document).flatMap(({ operation, ...described }) => {
    const shown = jsonBodyOf(operation);
    const schema = schemas.get(described.name);
    return shown && schema
      ? [{ name: described.name, shown, schema, requests: requestTo({ operation, ...described }) }]
      : [];
  }),
)("$name takes no body that the description refuses", ({ shown, schema, requests }) => {
  const bodies = fc.tuple(requests, fc.nat()).chain(([{ body = "" }, position]) => {
    try {
      return retyped(JSON.parse(body) as unknown, position);
    } catch {
      return fc.constant(undefined);
    }
  });
  fc.assert(
    fc.property(bodies, (body) => {
      if (!schema.safeParse(body).success) return;
      const difference = judge(shown, body);
      if (difference !== undefined && !isOfFormat(difference)) throw new Error(difference);
    }),
    { numRuns: 100 },
  );
});
