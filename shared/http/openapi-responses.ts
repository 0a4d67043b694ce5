import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorCodes, statusOf, titleOf } from "../domain/request/app-error.ts";
import { pascalCase } from "./component-names.ts";
import { errorDetails } from "./error-details.ts";
import { limits } from "../domain/request/rate-limits.ts";
import { headerReferences, headersOf, headersOfProblem } from "./openapi-headers.ts";
import type { Route } from "./route.ts";

/** Codes of errors that always have details. */
const alwaysDetailed: ReadonlySet<ErrorCode> = new Set(["price_changed", "in_use"]);

/** The schema of an error with this code. */
function problemOf(code: ErrorCode): z.ZodType {
  const details = errorDetails[code];
  return z
    .object({
      message: z.string(),
      code: z.literal(code),
      ...(code === "validation_failed" && {
        errors: z
          .record(z.string(), z.array(z.string()))
          .meta({ description: "Dotted path of each invalid member → its messages" }),
      }),
      ...(details && { details: alwaysDetailed.has(code) ? details : details.optional() }),
      request_id: z.string(),
    })
    .meta({ id: `${pascalCase(code)}Problem`, description: titleOf(code) });
}

// Each error is one schema, which the responses of all operations share.
const problemSchemas = new Map(errorCodes.map((code) => [code, problemOf(code)]));

const GatewayProblem = z.object({ message: z.string().meta({ example: "Unauthorized" }) }).meta({
  id: "GatewayProblem",
  description:
    "Error of API Gateway itself: no `Authorization` header, or the gateway's limits are exceeded",
});

/** The names of error responses by status. */
const statusNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "VersionMismatch",
  422: "Invalid",
  429: "TooManyRequests",
};

/** Errors that every route can return, or every route with a body or a guard. They share the response `default`. */
const common: readonly ErrorCode[] = [
  "malformed_json",
  "unauthenticated",
  "forbidden",
  "second_factor_enrolment_required",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "server_error",
  "unavailable",
];

function contentOf(schema: z.ZodType) {
  return { "application/json": { schema } };
}

function listed(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\``).join(", ");
}

/** The error responses of a document, by name. Operations with the same set of codes share one. */
export type ProblemResponses = Record<string, ZodOpenApiResponseObject>;

/**
 * A route's references to error responses, which this adds to `shared`. A response exists once for each set of codes
 * with one status.
 */
export function problemResponses(
  route: Route,
  shared: ProblemResponses,
): Record<string, { $ref: string; description?: string }> {
  const byStatus = Map.groupBy(possibleErrors(route), statusOf);
  const own = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .filter(([, codes]) => !codes.every((code) => common.includes(code)))
    .map(([status, codes]) => {
      const sorted = codes.toSorted();
      const name = nameOfSet(status, sorted);
      shared[name] ??= {
        description: listed(sorted),
        headers: headerReferences(headersOfProblem(status)),
        content: contentOf(oneOfThese(sorted)),
      };
      const limit = status === 429 && route.limit ? limits[route.limit] : undefined;
      return [
        status,
        {
          ...reference(name),
          ...(limit && {
            description: `${listed(codes)}: over ${limit.calls} calls in ${limit.seconds} s from one address`,
          }),
        },
      ] as const;
    });
  shared["Error"] ??= {
    description: `Any other error: ${listed(common)}`,
    headers: headerReferences({ "X-Request-Id": "sometimes", "Retry-After": "sometimes" }),
    content: contentOf(z.union([...common.map(schemaOf), GatewayProblem])),
  };
  return { ...Object.fromEntries(own), default: reference("Error") };
}

/** The status, and the codes unless they are one that says the same: `NotFound`, `ConflictCartEmptyOrSlotTaken`. */
function nameOfSet(status: number, codes: readonly ErrorCode[]): string {
  const words = codes.map(pascalCase).join("Or");
  const name = statusNames[status] ?? `Error${status}`;
  return words === name ? name : name + words;
}

// The map has a schema for every code.
const schemaOf = (code: ErrorCode): z.ZodType => problemSchemas.get(code)!;

const oneOfThese = (codes: readonly ErrorCode[]): z.ZodType =>
  codes.length === 1 ? schemaOf(codes[0]!) : z.union(codes.map(schemaOf));

const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The errors of an endpoint: those that its declaration implies and those that it lists. */
export function possibleErrors(route: Route): ErrorCode[] {
  const { path, access, request, limit, idempotent, form, errors = [] } = route;
  const guarded = access.guard === "customer" || access.guard === "staff";
  const implied: (ErrorCode | false)[] = [
    (guarded || access.guard === "optional") && "unauthenticated",
    access.guard === "staff" && "forbidden",
    access.guard === "staff" && !access.beforeEnrolment && "second_factor_enrolment_required",
    path.includes("{") && "not_found",
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

const PageLinks = z
  .object({
    first: z.string(),
    prev: z.string().nullable(),
    next: z.string().nullable(),
    last: z.string(),
  })
  .meta({ id: "PageLinks", description: "Paths of other pages; null if there is no such page" });

/** A response in the form that `createDocument` accepts. */
interface Response {
  readonly id: string;
  readonly description: string;
  readonly headers: object;
  readonly content?: ReturnType<typeof contentOf>;
}

const successes: Readonly<Record<number, { name: string; description: string }>> = {
  201: { name: "Created", description: "Created" },
  202: { name: "Accepted", description: "Accepted" },
  204: { name: "NoContent", description: "Succeeded; the response has no body" },
  302: { name: "Found", description: "Go on to `Location`" },
  304: { name: "NotModified", description: "Not changed since the ETag in `If-None-Match`" },
};

/**
 * The components that responses of several operations may share, by name, each with the parts that it was made from.
 */
export type SharedComponents = Map<string, { parts: readonly unknown[]; component: unknown }>;

/**
 * Returns the component that was made from the same parts before, or makes it. Its name is the first of `names` that no
 * component with other parts has.
 */
function sharedComponent<Component>(
  components: SharedComponents,
  names: readonly string[],
  parts: readonly unknown[],
  make: (name: string) => Component,
): Component {
  for (const name of names) {
    const known = components.get(name);
    if (known && !parts.every((part, index) => part === known.parts[index])) continue;
    const component = known?.component ?? make(name);
    components.set(name, { parts, component });
    // The same parts are always passed with the same `make`, so the type is right.
    return component as Component;
  }
  throw new Error(`Other components have the names ${names.join(" and ")}`);
}

/** The schema of `{data, meta, links}`, named after the schema of `data`, or else after the operation. */
function envelopeOf(
  { data, meta, links }: Route["response"],
  names: readonly string[],
  components: SharedComponents,
): z.ZodType {
  const shape = { data, ...(meta && { meta }), ...(links && { links: PageLinks }) };
  return sharedComponent(
    components,
    names.map((name) => `${name}Response`),
    [data instanceof z.ZodArray ? data.element : data, meta, links],
    // Routes declare schemas with readonly types; z.object takes the mutable type.
    (id) => z.object(shape as z.ZodRawShape).meta({ id }),
  );
}

/** A route's successful responses by status. Operations with equal responses share a component. */
export function successResponses(
  route: Route,
  operation: string,
  components: SharedComponents,
): Record<string, Response> {
  const { response, cache } = route;
  const element = response.data instanceof z.ZodArray ? response.data.element : undefined;
  const shown = element ?? response.data;
  const id = shown && z.globalRegistry.get(shown)?.id;
  const names = [...(id ? [id + (element ? "List" : "")] : []), operation];
  const schema = response.data && envelopeOf(response, names, components);
  const statuses = [
    response.status,
    ...(response.alsoAnswers ?? []),
    ...(cache === "public" ? [304] : []),
  ];
  return Object.fromEntries(
    statuses.map((status) => {
      const { name = "", description = "OK" } = successes[status] ?? {};
      const suffix = name + (route.limit ? "WithLimit" : "");
      const hasBody = schema && status !== 304;
      const headers = headersOf(route, status);
      const answer = sharedComponent(
        components,
        [...(hasBody ? [names[0] + suffix] : [suffix]), operation + suffix],
        [hasBody && schema, status, JSON.stringify(headers)],
        (id) => ({
          id,
          description,
          headers: headerReferences(headers),
          ...(hasBody && { content: contentOf(schema) }),
        }),
      );
      return [String(status), answer];
    }),
  );
}
