import * as z from "zod";
import { type DeclaredHeaders, type ResponseHeader, responseHeaders } from "./response-headers.ts";
import type { Route } from "./route.ts";

/** Every response of a limited operation has them. Its 429 declares them for all, because they are long. */
const rateLimit = {
  "X-RateLimit-Limit": "always",
  "X-RateLimit-Remaining": "always",
  "X-RateLimit-Reset": "always",
} as const;

/** The headers of a route's successful responses with this status, or of its 304. */
export function headersOf(
  { response, idempotent, cache, previewed }: Route,
  status: number,
): DeclaredHeaders {
  const further = response.headers ?? [];
  return {
    "X-Request-Id": "always",
    ...((cache === "public" || isVersioned(response.data)) && {
      // Drafts have no ETag.
      ETag: previewed ? ("sometimes" as const) : ("always" as const),
    }),
    ...((status === 201 || status === 302) && { Location: "always" }),
    ...(idempotent && { "Idempotent-Replayed": "sometimes" }),
    ...Object.fromEntries(further.map((name) => [name, "sometimes"] as const)),
  };
}

/** The headers of error responses with this status. */
export function headersOfProblem(status: number): DeclaredHeaders {
  return {
    "X-Request-Id": "always",
    ...(status === 429 && { ...rateLimit, "Retry-After": "always" }),
    ...((status === 409 || status === 503) && { "Retry-After": "sometimes" }),
  };
}

/** Whether the response contains the record's `version`, which is also sent as the ETag. */
const isVersioned = (data: z.core.$ZodType | undefined): boolean =>
  data instanceof z.ZodDiscriminatedUnion
    ? data.options.every(isVersioned)
    : data instanceof z.ZodObject && "version" in data.shape;

/**
 * References to the header components. If the component declares a header as required but this response may lack it,
 * the header is declared inline.
 */
export const headerReferences = (headers: DeclaredHeaders) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, presence]) => {
      // `Object.entries` types the names as string.
      const { required, schema } = responseHeaders[name as ResponseHeader];
      return [
        name,
        required && presence === "sometimes"
          ? { schema }
          : { $ref: `#/components/headers/${name}` },
      ];
    }),
  );
