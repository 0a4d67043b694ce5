import { isDeepStrictEqual } from "node:util";
import { createDocument } from "zod-openapi";
import * as z from "zod";
import { apiPrefix } from "../domain/request/api-path.ts";
import { parameterFor, shownFor } from "./component-names.ts";
import { problemResponses, problemsOf, successDescriber } from "./openapi-responses.ts";
import { responseHeaders } from "./response-headers.ts";
import { type Route, fullPath } from "./route.ts";

type Document = ReturnType<typeof createDocument>;
type Paths = NonNullable<Parameters<typeof createDocument>[0]["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

/** Operations that belong together, under a heading of their own. */
export interface OperationGroup {
  /** The heading, such as `Storefront: cart and checkout`. */
  readonly name: string;
  /** Its introduction, in Markdown. */
  readonly description: string;
  readonly routes: readonly Route[];
}

const FileForm = z
  .object({ file: z.string().meta({ description: "The file, with its name, type and size" }) })
  .catchall(z.string())
  .meta({
    id: "FileForm",
    description: "Form for uploading a file in one request; other fields are the body's members",
  });

/** The OpenAPI 3.1 document of the routes under `/api/v1`, in the given order. */
export function describe(
  groups: readonly OperationGroup[],
  info: { title: string; version: string; description: string },
): Document {
  const paths: Paths = {};
  const successOf = successDescriber();
  for (const { name, routes } of groups) {
    for (const route of routes) {
      const path = (paths[fullPath(route)] ??= {});
      // Every method has a member of the same type.
      path[route.method.toLowerCase() as "get"] = operation(name, route, successOf);
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
        responses: problemResponses,
        securitySchemes: {
          customer: { type: "http", scheme: "bearer", description: "Token of a customer's login" },
          staff: { type: "http", scheme: "bearer", description: "Token of a staff login" },
        },
      },
    },
    { override: concise },
  );
  for (const parameter of parametersOf(document)) {
    const { description, param: _zodOpenApis, ...schema } = parameter.schema ?? {};
    if (parameter.schema) Object.assign(parameter, { description, ...parameter, schema });
  }
  return document;
}

/**
 * Zod-openapi leaves in the schema of a parameter what belongs to the parameter. Its types allow references and further
 * members of a path, which this document does not have.
 */
const parametersOf = ({ paths = {}, components }: Document) =>
  [
    ...Object.values(components?.parameters ?? {}),
    ...Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, Operation>).flatMap((each) => each.parameters ?? []),
    ),
  ] as { schema?: { description?: string; param?: object } }[];

interface Shown {
  readonly jsonSchema: Record<string, unknown>;
  readonly io: "input" | "output";
  readonly zodSchema: z.core.$ZodType;
}

/** Shortens what Zod writes at length, and removes what says nothing. */
function concise({ jsonSchema, io, zodSchema }: Shown): void {
  // Every integer is bounded by what JavaScript can count to.
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  // A format says what the pattern does.
  if ("format" in jsonSchema) delete jsonSchema["pattern"];
  // The constants of a union's options tell them apart.
  delete jsonSchema["discriminator"];
  // Answers may get further members.
  if (io === "output" && zodSchema instanceof z.ZodObject && !zodSchema.def.catchall) {
    delete jsonSchema["additionalProperties"];
  }
  // JSON Schema, as z.toJSONSchema writes it.
  const [value = {}, nothing, ...others] = (jsonSchema["anyOf"] ?? []) as Record<string, unknown>[];
  const isPlain = typeof value["type"] === "string" && !("enum" in value) && !("const" in value);
  if (nothing?.["type"] === "null" && others.length === 0 && isPlain) {
    delete jsonSchema["anyOf"];
    Object.assign(jsonSchema, { ...value, ...jsonSchema, type: [value["type"], "null"] });
  }
}

function operation(
  tag: string,
  route: Route,
  successOf: ReturnType<typeof successDescriber>,
): Operation {
  const { access, request } = route;
  const { params, query, headers, body } = request;
  const id = operationId(route);
  const header = headerParams(route, headers);
  return {
    tags: [tag],
    operationId: id,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...security(route),
    ...(access.guard === "staff" && access.permission && { "x-permission": access.permission }),
    requestParams: {
      // Routes declare them as objects, here and below.
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
    // Their keys are statuses and `default`.
    responses: { ...successOf(route, capitalized(id)), ...problemsOf(route) } as NonNullable<
      Operation["responses"]
    >,
  };
}

/** An example that is not the schema's own stands beside it, so that operations share the schema. */
function jsonContent(body: z.ZodType) {
  // Made by zod's classic API, as every schema of the service, here and below.
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
    description: "The `ETag` of an earlier answer: 304 if it still holds",
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
      return { security: [{}, { customer: [] }] };
    case "customer":
      return { security: [{ customer: [] }] };
    case "staff":
      // As the document says for all operations.
      return {};
  }
}

/** `GET /products/{slug}/related` → `getProductsBySlugRelated`. */
function operationId(route: Route): string {
  const words = fullPath(route)
    .slice(apiPrefix.length)
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? `by-${part.slice(1, -1)}` : part));
  return (
    route.method.toLowerCase() +
    words
      .flatMap((word) => word.split(/[-_]/))
      .map(capitalized)
      .join("")
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
