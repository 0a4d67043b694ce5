import { createDocument } from "zod-openapi";
import * as z from "zod";
import { type ErrorCode, errorCodes, statusOf, titleOf } from "../domain/request/app-error.ts";
import { limits } from "../domain/request/rate-limits.ts";
import { type Route, fullPath, isGuarded } from "./route.ts";
import { apiPrefix } from "../domain/request/api-path.ts";

type Document = ReturnType<typeof createDocument>;
type Paths = NonNullable<Parameters<typeof createDocument>[0]["paths"]>;
type Operation = NonNullable<Paths[string]["get"]>;

const Problem = z
  .object({
    message: z.string().meta({ description: "The error in a sentence" }),
    code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: "Only with 422: dotted path of each invalid member → its messages" }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Further facts for programs" }),
    request_id: z.string(),
  })
  .meta({ id: "Problem", description: "Error response of the service" });

const Unauthorized = z.union([Problem, z.object({ message: z.literal("Unauthorized") })]).meta({
  id: "Unauthorized",
  description:
    "The service's error, or API Gateway's own for a call without an `Authorization` header",
});

const Links = z
  .object({
    first: z.string(),
    prev: z.string().nullable(),
    next: z.string().nullable(),
    last: z.string(),
  })
  .meta({ id: "PageLinks" });

const FileForm = z
  .object({ file: z.string().meta({ description: "The file, with its name, type and size" }) })
  .catchall(z.string())
  .meta({
    id: "FileForm",
    description: "Form for uploading a file in one request; other fields are the body's members",
  });

/** The OpenAPI 3.1 document of the routes under `/api/v1`, in the given order. */
export function describe(
  groups: readonly { name: string; routes: readonly Route[] }[],
  info: { title: string; version: string },
): Document {
  const paths: Paths = {};
  for (const { name, routes } of groups) {
    for (const route of routes) {
      if (route.outsideApi) continue;
      const path = (paths[fullPath(route)] ??= {});
      path[route.method.toLowerCase() as "get"] = operation(name, route);
    }
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      ...info,
      description:
        "API of a furniture shop: catalog, content, cart, checkout and orders. Money is an " +
        "integer in minor units of the adjacent currency; times are ISO 8601 with offset.",
    },
    servers: [{ url: "/" }],
    tags: groups
      .filter(({ routes }) => routes.some((route) => !route.outsideApi))
      .map(({ name }) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        customer: { type: "http", scheme: "bearer", description: "Token of a customer's login" },
        staff: { type: "http", scheme: "bearer", description: "Token of a staff login" },
      },
    },
  });
}

function operation(tag: string, route: Route): Operation {
  const { access, request, response } = route;
  const { params, query, headers, body } = request;
  return {
    tags: [tag],
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...security(route),
    ...(access.guard === "staff" && { "x-permission": access.permission }),
    requestParams: {
      ...(params && { path: params as z.ZodObject }),
      ...(query && { query: query as z.ZodObject }),
      ...(headerParams(route, headers) && { header: headerParams(route, headers) as z.ZodObject }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: body },
          ...(route.form && { "multipart/form-data": { schema: FileForm } }),
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        [response.status, ...(response.alsoAnswers ?? [])].map((status) => [
          String(status),
          success(route, status),
        ]),
      ),
      ...(route.cache === "public" && {
        "304": { description: "Not changed since the ETag in `If-None-Match`" },
      }),
      ...problems(route),
    },
  };
}

const idempotencyKey = z.string().min(1).max(255).meta({
  description:
    "Repeating the request with the same key and body within 24 hours returns the first response",
});

function headerParams(route: Route, headers: z.ZodType | undefined): z.ZodObject | undefined {
  const declared = (headers as z.ZodObject | undefined)?.shape ?? {};
  const shape = {
    ...declared,
    ...(route.idempotent && {
      "idempotency-key":
        route.idempotent === "required" ? idempotencyKey : idempotencyKey.optional(),
    }),
    ...(route.cache === "public" && { "if-none-match": z.string().optional() }),
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
    case "staff":
      return { security: [{ [access.guard]: [] }] };
  }
}

function success({ response }: Route, status: number) {
  const schema =
    response.document ??
    (response.data &&
      z.object({
        data: response.data,
        ...(response.meta && { meta: response.meta }),
        ...(response.links && { links: Links }),
      }));
  return {
    description: status === 201 ? "Created" : status === 204 ? "Done; no body" : "OK",
    ...(schema && { content: { "application/json": { schema } } }),
  };
}

/** The errors of an endpoint: those that its declaration implies and those that it lists. */
export function possibleErrors(route: Route): ErrorCode[] {
  const { access, request, limit, idempotent, form, errors = [] } = route;
  const guarded = access.guard === "customer" || access.guard === "staff";
  const implied: (ErrorCode | false)[] = [
    (guarded || access.guard === "optional") && "unauthenticated",
    access.guard === "staff" && "forbidden",
    access.guard === "staff" && !access.beforeEnrolment && "second_factor_enrolment_required",
    request.params !== undefined && "not_found",
    request.body !== undefined && "malformed_json",
    request.body !== undefined && "payload_too_large",
    form !== undefined && "malformed_form",
    request.body !== undefined && "unsupported_media_type",
    "validation_failed",
    idempotent !== undefined && "idempotency_key_reused",
    limit !== undefined && "too_many_requests",
    "server_error",
    "unavailable",
  ];
  return [...new Set([...implied.filter((code) => code !== false), ...errors])];
}

function problems(route: Route): Record<string, { description: string; content: object }> {
  const byStatus = Map.groupBy(possibleErrors(route), statusOf);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes
            .map((code) => `\`${code}\`: ${describeError(route, code)}`)
            .join("\n\n"),
          content: { "application/json": { schema: problemSchema(route, status) } },
        },
      ]),
  );
}

function problemSchema(route: Route, status: number): z.ZodType {
  return status === 401 && isGuarded(route) ? Unauthorized : Problem;
}

function describeError({ limit }: Route, code: ErrorCode): string {
  if (code !== "too_many_requests" || !limit) return titleOf(code);
  return `More than ${limits[limit].calls} calls in ${limits[limit].seconds} seconds from one address.`;
}

/** `GET /products/{slug}/related` → `getProductsBySlugRelated`. */
function operationId(route: Route): string {
  const words = fullPath(route)
    .slice(apiPrefix.length)
    .split("/")
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") ? `by-${part.slice(1, -1)}` : part));
  const tail = words
    .flatMap((word) => word.split(/[-_]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return route.method.toLowerCase() + tail.join("");
}
