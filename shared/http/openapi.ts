import { isDeepStrictEqual } from "node:util";
import { createDocument } from "zod-openapi";
import * as z from "zod";
import { parameterFor, pascalCase, shownFor } from "./component-names.ts";
import {
  type ProblemResponses,
  problemResponses,
  type SharedComponents,
  successResponses,
} from "./openapi-responses.ts";
import { responseHeaders } from "./response-headers.ts";
import { type RouteAccess, type Route, fullPath } from "./route.ts";
import { shareParts } from "./shared-parts.ts";

type Document = ReturnType<typeof createDocument>;
type Paths = NonNullable<Parameters<typeof createDocument>[0]["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

/** The operations under one heading of the documentation. */
export interface OperationGroup {
  /** The heading, such as `Storefront: cart and delivery`. */
  readonly name: string;
  /** The introduction below the heading, in Markdown. */
  readonly description: string;
  readonly routes: readonly Route[];
}

const FileForm = z
  .object({
    file: z.string().meta({
      description: "The file, with its name, type and size",
      override: ({ jsonSchema }) => {
        jsonSchema.format = "binary";
      },
    }),
  })
  .meta({
    id: "FileForm",
    description:
      "Form that uploads a file in one request; its other fields are the members of the body",
  });

/**
 * The OpenAPI 3.1 document of the routes under `/api/v1`, in the order of `groups`.
 *
 * @param names the operation id of each route
 */
export function describe(
  groups: readonly OperationGroup[],
  info: { title: string; version: string; description: string },
  names: ReadonlyMap<Route, string>,
): Document {
  const paths: Paths = {};
  const components: SharedComponents = new Map();
  const problems: ProblemResponses = {};
  for (const { name, routes } of groups) {
    for (const route of routes) {
      const path = (paths[fullPath(route)] ??= {});
      // The members for all methods have the same type, so the cast may name any of them.
      path[route.method.toLowerCase() as "get"] = operation(name, route, {
        id: names.get(route)!,
        components,
        problems,
      });
    }
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info,
      servers: [{ url: "/" }],
      security: [{ staff: [] }],
      tags: groups.map(({ name, description }) => ({ name, description })),
      paths,
      components: {
        headers: responseHeaders,
        responses: problems,
        securitySchemes: {
          customer: { type: "http", scheme: "bearer", description: "Token of a customer's login" },
          staff: { type: "http", scheme: "bearer", description: "Token of a staff login" },
          order: {
            type: "apiKey",
            in: "header",
            name: "X-Order-Token",
            description: "Token of a guest's order",
          },
        },
      },
    },
    { override: concise },
  );
  for (const parameter of parametersOf(document)) {
    const { description, param: _zodOpenApis, ...schema } = parameter.schema ?? {};
    if (parameter.schema) Object.assign(parameter, { description, ...parameter, schema });
  }
  // The document has no other parts than those that were passed above.
  shareParts(document as unknown as Parameters<typeof shareParts>[0]);
  // The type allows other kinds of components; here each is a schema object.
  removeRepeatedMembers(document.components?.schemas as Record<string, Schema>);
  return document;
}

type Schema = Record<string, unknown>;

/** Removes members beside a `$ref` that repeat members of the component, and patterns of components with a format. */
function removeRepeatedMembers(components: Readonly<Record<string, Schema>>): void {
  const prefix = "#/components/schemas/";
  function visit(part: unknown): void {
    if (typeof part !== "object" || part === null) return;
    const schema = part as Schema;
    const { $ref } = schema;
    const named = typeof $ref === "string" ? components[$ref.slice(prefix.length)] : undefined;
    for (const [member, value] of Object.entries(schema)) {
      const isRepeated = named && isDeepStrictEqual(value, named[member]);
      if (isRepeated || (member === "pattern" && named?.["format"])) delete schema[member];
      else visit(value);
    }
  }
  visit(components);
}

/**
 * All parameters of the document. Their schemas still contain members that belong to the parameter itself. The cast
 * ignores other members of a path, which this document does not have, and references, which have no schema.
 */
const parametersOf = ({ paths = {}, components }: Document) =>
  [
    ...Object.values(components?.parameters ?? {}),
    ...Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, Operation>).flatMap((each) => each.parameters ?? []),
    ),
  ] as { schema?: { description?: string; param?: object } }[];

interface Shown {
  readonly jsonSchema: Schema;
  readonly io: "input" | "output";
  readonly zodSchema: z.core.$ZodType;
}

/** Removes redundant keywords from Zod's JSON Schema, and writes nullable types in their short form. */
function concise({ jsonSchema, io, zodSchema }: Shown): void {
  // Zod bounds every integer by JavaScript's safe integers.
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  // The format implies the pattern.
  if ("format" in jsonSchema) delete jsonSchema["pattern"];
  // The options' constants already tell the options apart.
  delete jsonSchema["discriminator"];
  // Later releases may add members to responses, so the document does not exclude further members.
  if (io === "output" && zodSchema instanceof z.ZodObject && !zodSchema.def.catchall) {
    delete jsonSchema["additionalProperties"];
  }
  // In the JSON Schema of z.toJSONSchema, `anyOf` is a list of schemas.
  const [value = {}, nothing, ...others] = (jsonSchema["anyOf"] ?? []) as Record<string, unknown>[];
  const isPlain =
    typeof value["type"] === "string" &&
    !("enum" in value) &&
    !("const" in value) &&
    !isNullableComponent(zodSchema);
  if (nothing?.["type"] === "null" && others.length === 0 && isPlain) {
    delete jsonSchema["anyOf"];
    Object.assign(jsonSchema, { ...value, ...jsonSchema, type: [value["type"], "null"] });
  }
}

/** Whether the schema is null or a component: a `$ref` excludes null, whatever type is beside it. */
function isNullableComponent(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return isNullableComponent(schema.unwrap());
  return (
    schema instanceof z.ZodNullable &&
    z.globalRegistry.get(shownFor(schema.unwrap()))?.id !== undefined
  );
}

function permissionOf(access: RouteAccess) {
  if (access.guard !== "staff" || access.permission === null) return {};
  const { permission, or } = access;
  return { "x-permission": or ? `${permission} or ${or}` : permission };
}

/** The id of an operation, and the components that operations share, to which it adds its own. */
interface Shared {
  readonly id: string;
  readonly components: SharedComponents;
  readonly problems: ProblemResponses;
}

function operation(tag: string, route: Route, { id, components, problems }: Shared): Operation {
  const { access, request } = route;
  const { params, query, headers, body } = request;
  const header = headerParams(route, headers);
  return {
    tags: [tag],
    operationId: id,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...security(route),
    ...permissionOf(access),
    requestParams: {
      // Routes declare `params`, `query` and `headers` as objects.
      ...(params && { path: params as z.ZodObject }),
      ...(query && { query: describedQuery(query as z.ZodObject) }),
      ...(header && { header }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": jsonContent(body),
          ...(route.form && { "multipart/form-data": { schema: FileForm } }),
        },
      },
    }),
    // The type allows only statuses and `default` as keys, and there are no others.
    responses: {
      ...successResponses(route, pascalCase(id), components),
      ...problemResponses(route, problems),
    } as NonNullable<Operation["responses"]>,
  };
}

/** A JSON body. An example that differs from the schema's own is separate, so that operations can share the schema. */
function jsonContent(body: z.ZodType) {
  // All schemas of the service are made by Zod's classic API.
  const schema = shownFor(body) as z.ZodType;
  const { example } = z.globalRegistry.get(body) ?? {};
  const isOwn = isDeepStrictEqual(example, z.globalRegistry.get(schema)?.["example"]);
  return { schema, ...(!isOwn && { example }) };
}

const describedQuery = ({ shape }: z.ZodObject): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(shape as z.ZodRawShape).map(([name, schema]) => [name, parameterFor(schema)]),
    ),
  );

const IdempotencyKey = z.string().min(1).max(255).meta({
  description:
    "Repeating the request with the same key and body within 24 hours returns the first response",
});
const idempotencyKeys = {
  required: IdempotencyKey.meta({ param: { id: "RequiredIdempotencyKey" } }),
  optional: IdempotencyKey.optional().meta({ param: { id: "IdempotencyKey" } }),
};
const IfNoneMatch = z
  .string()
  .optional()
  .meta({
    param: { id: "IfNoneMatch" },
    description: "The `ETag` of an earlier response; returns 304 if it is current",
  });

function headerParams(route: Route, headers: z.ZodType | undefined): z.ZodObject | undefined {
  const declared = (headers as z.ZodObject | undefined)?.shape ?? {};
  const shape = {
    ...declared,
    ...(route.idempotent && {
      "idempotency-key": idempotencyKeys[route.idempotent === "required" ? "required" : "optional"],
    }),
    ...(route.cache === "public" && { "if-none-match": IfNoneMatch }),
  };
  return Object.keys(shape).length > 0 ? z.object(shape) : undefined;
}

function security({ access }: Route) {
  switch (access.guard) {
    case "none":
      return { security: [] };
    case "optional":
      return { security: [access.guestSends ? { order: [] } : {}, { customer: [] }] };
    case "customer":
      return { security: [{ customer: [] }] };
    case "staff":
      // Nothing is added, because the document's own `security` requires the staff token.
      return {};
  }
}
