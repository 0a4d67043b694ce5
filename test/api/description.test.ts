import { beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { errorCodes, statusOf } from "#shared/domain/request/app-error.ts";
import { fullPath, isGuarded } from "#shared/http/route.ts";
import {
  type Described,
  type Description,
  jsonBodyOf,
  operationsOf,
  readDescription,
} from "#test/support/http/description.ts";
import { everyRoute } from "#test/support/http/every-route.ts";

type Schema = Record<string, unknown>;

let description: Description;
let operations: Described[];
beforeAll(async () => {
  description = await readDescription(inject("baseUrl"));
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

  test("has no unresolved and no external reference", () => {
    const references = [...nodesOf(description)].flatMap(({ $ref }) =>
      typeof $ref === "string" ? [$ref] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    expect(
      references.filter((pointer) => !pointer.startsWith("#/") || resolve(pointer) === undefined),
    ).toEqual([]);
  });

  test("has no unused component", () => {
    const text = JSON.stringify(description);
    const unused = Object.keys(description.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });
});

describe("operations", () => {
  test("declare exactly the parameters of their path, as required", () => {
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

  test("declare a success status, and problems with documented codes", () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      const route = everyRoute.find(({ key }) => key === name)?.route;
      const { status: usual = 0, alsoAnswers = [] } = route?.response ?? {};
      const successes = statuses.filter((status) => /^20[0-4]$/.test(status)).map(Number);
      expect([name, successes]).toEqual([name, [usual, ...alsoAnswers].toSorted((a, b) => a - b)]);
      for (const [status, { description: text, content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const codes = errorCodes.filter((code) => text.includes(`\`${code}\``));
        expect([name, codes.map(statusOf)]).toEqual([name, codes.map(() => Number(status))]);
        expect(codes.length).toBeGreaterThan(0);
        const gatewayToo = status === "401" && route !== undefined && isGuarded(route);
        expect([name, content?.["application/json"]?.schema]).toEqual([
          name,
          { $ref: `#/components/schemas/${gatewayToo ? "Unauthorized" : "Problem"}` },
        ]);
      }
    }
  });

  test("wrap their response in data", () => {
    for (const { name, operation } of operations) {
      const success = operation.responses["200"] ?? operation.responses["201"];
      if (!success) continue;
      const schema = success.content?.["application/json"]?.schema;
      expect([name, schema?.required?.includes("data")]).toEqual([name, true]);
    }
  });

  test("with a body require JSON or the declared form; others accept no body", () => {
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

/** The schema as plain JSON Schema, with the components as definitions. */
const asJsonSchema = (part: object): object =>
  JSON.parse(JSON.stringify(part).replaceAll("#/components/schemas/", "#/$defs/")) as object;

/** Zod's JSON Schema reader supports everything that our schemas use; it needs to know where the components are. */
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

test("a 401 of a guarded route is a problem or the gateway's own response", () => {
  const reader = readerOf({ $ref: "#/components/schemas/Unauthorized" });
  const problem = { message: "Sign in.", code: "unauthenticated", request_id: "abc" };
  expect(reader.safeParse(problem).success).toBe(true);
  expect(reader.safeParse({ message: "Unauthorized" }).success).toBe(true);
  expect(reader.safeParse({ message: "Sign in." }).success).toBe(false);
});

test("every example matches its schema", () => {
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

test("every JSON request body has an example that matches its schema", () => {
  const bodies = operations.flatMap(({ name, operation }) => {
    const { example, examples, ...schema } = jsonBodyOf(operation) ?? {};
    if (Object.keys(schema).length === 0) return [];
    return [{ name, shown: [example, ...(examples ?? [])].filter(Boolean), schema }];
  });
  expect(bodies.length).toBeGreaterThan(0);
  const wanting = bodies.filter(
    ({ shown, schema }) =>
      shown.length === 0 || !shown.every((value) => readerOf(schema).safeParse(value).success),
  );
  expect(wanting.map(({ name }) => name)).toEqual([]);
});

test("every schema is valid JSON Schema", () => {
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
