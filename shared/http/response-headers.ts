import * as z from "zod";
import type { Route } from "./route.ts";

/** The response headers that clients may read: CORS exposes them, and the OpenAPI document declares them. */
export const responseHeaders = {
  ETag: {
    description:
      'Version of the answer: `"v<version>"` of a record, for `If-Match`; of a public answer, ' +
      "for `If-None-Match`",
    required: true,
    schema: { type: "string" },
    example: '"v3"',
  },
  Location: {
    description: "Path of the record that was created",
    required: true,
    schema: { type: "string" },
    example: "/api/v1/addresses/adr_01JD00000000000000000000A1",
  },
  "X-Cart-Token": {
    description: "Token of a guest's new cart, for the request header of the same name",
    required: false,
    schema: { type: "string" },
  },
  "X-Request-Id": {
    description: "Id of the request, by which its logs can be found",
    required: true,
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "`true` if an earlier request with the same `Idempotency-Key` did the work",
    required: false,
    schema: { type: "string", const: "true" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt",
    required: false,
    schema: { type: "integer" },
  },
  "X-RateLimit-Limit": {
    description: "Calls that the limit allows in one window",
    required: true,
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Calls that are left in this window",
    required: true,
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": {
    description: "When the next window starts, in seconds since 1970",
    required: true,
    schema: { type: "integer" },
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;
/** The headers of an answer, and whether every such answer has them. */
export type DeclaredHeaders = { readonly [Name in ResponseHeader]?: "always" | "sometimes" };

const rateLimit = {
  "X-RateLimit-Limit": "always",
  "X-RateLimit-Remaining": "always",
  "X-RateLimit-Reset": "always",
} as const;

/** The headers of a route's successful answers with this status, or of its 304. */
export function headersOf(
  { response, limit, idempotent, cache }: Route,
  status: number,
): DeclaredHeaders {
  const further = response.headers ?? [];
  return {
    "X-Request-Id": "always",
    ...((cache === "public" || isVersioned(response.data)) && { ETag: "always" }),
    ...(status === 201 && { Location: "always" }),
    ...(idempotent && { "Idempotent-Replayed": "sometimes" }),
    ...(limit && rateLimit),
    ...Object.fromEntries(further.map((name) => [name, "sometimes"] as const)),
  };
}

/** The headers of error answers with this status. */
export function headersOfProblem(status: number): DeclaredHeaders {
  return {
    "X-Request-Id": "always",
    ...(status === 429 && { ...rateLimit, "Retry-After": "always" }),
    ...((status === 409 || status === 503) && { "Retry-After": "sometimes" }),
  };
}

/** Whether the answer shows a record with its `version`, which the ETag repeats. */
const isVersioned = (data: z.core.$ZodType | undefined): boolean =>
  data instanceof z.ZodDiscriminatedUnion
    ? data.options.every(isVersioned)
    : data instanceof z.ZodObject && "version" in data.shape;

/** References to the header components. One that is usually there, but not in this answer, is declared in place. */
export const headerReferences = (headers: DeclaredHeaders) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, presence]) => {
      const { required, schema } = responseHeaders[name as ResponseHeader];
      return [
        name,
        required && presence === "sometimes"
          ? { schema }
          : { $ref: `#/components/headers/${name}` },
      ];
    }),
  );
