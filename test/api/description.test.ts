import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { pascalCase } from "#shared/http/component-names.ts";
import { errorCodes, statusOf } from "#shared/domain/request/app-error.ts";
import { fullPath } from "#shared/http/route.ts";
import { clientOf } from "#test/support/http/client.ts";
import {
  type Described,
  type Description,
  jsonBodyOf,
  operationsOf,
  readDescription,
} from "#test/support/http/description.ts";
import { everyRoute } from "#test/support/http/every-route.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl } = await useShop();

type Schema = Record<string, unknown>;

let description: Description;
let operations: Described[];
/** The text of the OpenAPI document, as the service returned it. */
let text: string;
beforeAll(async () => {
  ({ text } = await clientOf(baseUrl).send("GET", "/docs/api.json"));
  description = await readDescription(baseUrl);
  operations = operationsOf(description);
});

function* nodesOf(value: unknown): Generator<Schema> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Schema;
  for (const member of Object.values(value)) yield* nodesOf(member);
}

function schemasOf({ operation }: Described): object[] {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  return [
    ...(operation.parameters ?? []).map(({ schema }) => schema),
    ...bodies.flatMap((body) => Object.values(body?.content ?? {}).map(({ schema }) => schema)),
  ];
}

const resolve = (pointer: string): unknown =>
  pointer
    .replace("#/", "")
    .split("/")
    .reduce<unknown>(
      (at, part) => (at as Record<string, unknown> | undefined)?.[part],
      description,
    );

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1 with a title and a version", () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/);
    expect(description.info).toMatchObject({
      title: expect.any(String),
      version: expect.any(String),
    });
  });

  test("describes every route and nothing else", () => {
    const declared = everyRoute
      .filter(({ route }) => !route.outsideApi)
      .map(({ route }) => `${route.method} ${fullPath(route)}`);
    expect(operations.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
  });

  test("has unique operation ids that code generators accept", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  });

  test("has no unresolved and no external references", () => {
    const references = [...nodesOf(description)].flatMap(({ $ref }) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    expect(
      references.filter((pointer) => !pointer.startsWith("#/") || resolve(pointer) === undefined),
    ).toEqual([]);
  });

  test("has no `pattern` beside a `format`, and next to a `$ref` no member that the referenced schema has already", () => {
    const repeated = [...nodesOf(description)].flatMap((node) => {
      const { $ref, pattern } = node;
      // `resolve` returns an untyped value, because a pointer can lead to anything.
      const named = typeof $ref === "string" ? (resolve($ref) as Record<string, unknown>) : {};
      const same = Object.keys(node).filter((key) => isDeepStrictEqual(node[key], named[key]));
      return [...same, ...(pattern && (node["format"] ?? named["format"]) ? ["pattern"] : [])];
    });
    expect(repeated).toEqual([]);
  });

  test("has no unused component", () => {
    const unused = Object.entries(description.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, components]) =>
        Object.keys(components).map((name) => `#/components/${kind}/${name}`),
      )
      .filter((pointer) => !text.includes(`"${pointer}"`));
    expect(unused).toEqual([]);
  });

  test("has on average at most 2.4 KB per operation, 0.36 KB compressed", () => {
    // API explorers and code generators load the whole document.
    const averageKb = (bytes: number): number => bytes / 1024 / operations.length;
    expect(averageKb(Buffer.byteLength(text))).toBeLessThanOrEqual(2.4);
    expect(averageKb(gzipSync(text).length)).toBeLessThanOrEqual(0.36);
  });

  test("has a component for every parameter that occurs twice, and none for a response that occurs once", () => {
    const sent = operationsOf(JSON.parse(text) as Description);
    const inline = sent
      .flatMap(({ operation }) => operation.parameters ?? [])
      .flatMap((parameter) => ("$ref" in parameter ? [] : [JSON.stringify(parameter)]));
    expect(inline.filter((parameter, index) => inline.indexOf(parameter) !== index)).toEqual([]);
    const { responses = {} } = (JSON.parse(text) as { components: { responses?: object } })
      .components;
    const single = Object.keys(responses).filter(
      (name) => text.split(`"#/components/responses/${name}"`).length < 3,
    );
    expect(single).toEqual([]);
  });

  test("explains authentication, pagination, retries and errors, and describes each group of operations", () => {
    for (const chapter of ["Authenticate", "Read and page", "Write and retry", "Handle errors"]) {
      expect(description.info.description).toContain(`## ${chapter}`);
    }
    expect(description.tags.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Storefront: cart and delivery", "Storefront: checkout and payment"]),
    );
    for (const { name, description: introduction } of description.tags) {
      expect(name).toMatch(/^(?:Storefront|Back office): /);
      expect([name, introduction.length > 40]).toEqual([name, true]);
    }
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect([...used].toSorted()).toEqual(description.tags.map(({ name }) => name).toSorted());
  });

  test("has a component for every schema that occurs twice", () => {
    const places = new Map<string, number>();
    const sent = JSON.parse(text) as Description;
    const components = new Set<object>(Object.values(sent.components.schemas));
    const shapes = [...nodesOf(sent)]
      .filter((node) => node["type"] === "object" && "properties" in node && !components.has(node))
      .map(({ description: _text, example: _example, ...shape }) => JSON.stringify(shape));
    for (const shape of shapes) places.set(shape, (places.get(shape) ?? 0) + 1);
    expect([...places].filter(([, count]) => count > 1)).toEqual([]);
  });
});

describe("the operations of the OpenAPI document", () => {
  test("declare exactly the parameters of their path, and mark them as required", () => {
    for (const { name, path, operation } of operations) {
      const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect([name, declared.map((parameter) => parameter.name)]).toEqual([name, variables]);
      expect([name, declared.every(({ required }) => required)]).toEqual([name, true]);
    }
  });

  test("have no duplicate parameter", () => {
    for (const { name, operation } of operations) {
      const names = (operation.parameters ?? []).map(
        (parameter) => `${parameter.in} ${parameter.name}`,
      );
      expect([name, new Set(names).size]).toEqual([name, names.length]);
    }
  });

  test("have a description", () => {
    const without = operations.filter(({ operation }) => (operation.description ?? "").length < 20);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test("declare the request id of every response, and the rate limit headers", () => {
    for (const { name, operation } of operations) {
      const answers = Object.entries(operation.responses);
      const silent = answers.filter(([, { headers = {} }]) => !("X-Request-Id" in headers));
      expect([name, silent.map(([status]) => status)]).toEqual([name, []]);
      const limit = everyRoute.find(({ key }) => key === name)?.route.limit;
      if (limit === undefined) continue;
      const limited = answers.filter(([, { headers = {} }]) => "X-RateLimit-Reset" in headers);
      expect([name, limited.map(([status]) => status)]).toEqual([name, ["429"]]);
    }
  });

  test("declare filters with several values as lists", () => {
    const lists = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ schema }) => schema.type === "array"),
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const { name, style, explode } of lists) {
      expect([name, style, explode]).toEqual([name, "form", false]);
    }
  });

  test("declare a success status, and problem responses with documented codes", () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      const route = everyRoute.find(({ key }) => key === name)?.route;
      const { status: usual = 0, alsoAnswers = [] } = route?.response ?? {};
      const successes = statuses.filter((status) => /^(?:20[0-4]|302)$/.test(status)).map(Number);
      expect([name, successes]).toEqual([name, [usual, ...alsoAnswers].toSorted((a, b) => a - b)]);
      for (const [status, { description: text, content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || status === "default") continue;
        const codes = errorCodes.filter((code) => text.includes(`\`${code}\``));
        expect([name, codes.map(statusOf)]).toEqual([name, codes.map(() => Number(status))]);
        expect(codes.length).toBeGreaterThan(0);
        const of = (code: string) => ({ $ref: `#/components/schemas/${pascalCase(code)}Problem` });
        const [only, ...others] = codes.toSorted().map(of);
        expect([name, content?.["application/json"]?.schema]).toEqual([
          name,
          others.length === 0 ? only : { anyOf: [only, ...others] },
        ]);
      }
      expect([name, "default" in operation.responses]).toEqual([name, true]);
    }
  });

  test("declare responses that are wrapped in `data`", () => {
    for (const { name, operation } of operations) {
      const success = operation.responses["200"] ?? operation.responses["201"];
      if (!success) continue;
      const schema = success.content?.["application/json"]?.schema ?? {};
      const { required } = (schema.$ref === undefined ? schema : resolve(schema.$ref)) as {
        required?: string[];
      };
      expect([name, required?.includes("data")]).toEqual([name, true]);
    }
  });

  test("with a body accept JSON or the declared form; others accept no body", () => {
    for (const { name, method, operation } of operations) {
      if (method === "GET") expect([name, operation.requestBody]).toEqual([name, undefined]);
      else if (operation.requestBody) {
        expect([name, operation.requestBody.required]).toEqual([name, true]);
        const form = everyRoute.find(({ key }) => key === name)?.route.form;
        expect([name, Object.keys(operation.requestBody.content)]).toEqual([
          name,
          ["application/json", ...(form ? ["multipart/form-data"] : [])],
        ]);
      }
    }
  });

  test("refer to existing security schemes", () => {
    const known = Object.keys(description.components.securitySchemes);
    const used = operations.flatMap(({ operation }) =>
      (operation.security ?? []).flatMap(Object.keys),
    );
    expect(used.filter((scheme) => !known.includes(scheme))).toEqual([]);
  });
});

/** The schema as plain JSON Schema: its references lead to `$defs` instead of OpenAPI components. */
const asJsonSchema = (part: object): object =>
  JSON.parse(JSON.stringify(part).replaceAll("#/components/schemas/", "#/$defs/")) as object;

/** The Zod schemas that were created so far, by the JSON text of their JSON Schema. */
const readers = new Map<string, z.ZodType>();
let definitions: object;
function readerOf(schema: object): z.ZodType {
  const text = JSON.stringify(schema);
  const known = readers.get(text);
  if (known) return known;
  definitions ??= asJsonSchema(description.components.schemas);
  const reader = z.fromJSONSchema({ ...asJsonSchema(schema), $defs: definitions } as Schema);
  readers.set(text, reader);
  return reader;
}

test("the schema of the `default` response accepts the service's errors and API Gateway's own, and nothing else", () => {
  const [{ operation } = {}] = operations;
  const reader = readerOf(
    operation?.responses["default"]?.content?.["application/json"]?.schema ?? {},
  );
  const problem = { message: "Sign in.", code: "unauthenticated", request_id: "abc" };
  expect(reader.safeParse(problem).success).toBe(true);
  expect(reader.safeParse({ message: "Unauthorized" }).success).toBe(true);
  expect(reader.safeParse({ code: "unauthenticated" }).success).toBe(false);
});

test("every example in the OpenAPI document matches its schema", () => {
  const all = [...operations.flatMap(schemasOf), ...Object.values(description.components.schemas)];
  const withExamples = all
    .flatMap((schema) => [...nodesOf(schema)])
    .filter((node) => "type" in node && ("example" in node || "examples" in node));
  expect(withExamples.length).toBeGreaterThan(0);
  const wrong = withExamples.flatMap((node) => {
    const { example, examples, ...schema } = node;
    const given = [
      ...(example === undefined ? [] : [example]),
      ...((examples as unknown[] | undefined) ?? []),
    ];
    const reader = readerOf(schema);
    return given
      .filter((value) => !reader.safeParse(value).success)
      .map((value) => `${JSON.stringify(value)} of ${JSON.stringify(schema)}`);
  });
  expect([...new Set(wrong)]).toEqual([]);
});

test("every JSON request body in the OpenAPI document has an example that matches its schema", () => {
  const bodies = operations.flatMap(({ name, operation }) => {
    const { example, ...schema } = jsonBodyOf(operation) ?? {};
    if (Object.keys(schema).length === 0) return [];
    return [{ name, shown: [example].filter(Boolean), schema }];
  });
  expect(bodies.length).toBeGreaterThan(0);
  const wanting = bodies.filter(
    ({ shown, schema }) =>
      shown.length === 0 || !shown.every((value) => readerOf(schema).safeParse(value).success),
  );
  expect(wanting.map(({ name }) => name)).toEqual([]);
});

test("every schema in the OpenAPI document is valid JSON Schema", () => {
  const unreadable = operations.flatMap((entry) =>
    schemasOf(entry).flatMap((schema) => {
      try {
        readerOf(schema);
        return [];
      } catch (error) {
        return [`${entry.name}: ${String(error)}`];
      }
    }),
  );
  expect(unreadable).toEqual([]);
});
