/** The response headers that clients may read: CORS exposes them, and the OpenAPI document declares them. */
export const responseHeaders = {
  ETag: {
    description:
      'Version of the response. For a record it is `"v<version>"` and can be sent as `If-Match`; ' +
      "for a public response it can be sent as `If-None-Match`",
    required: true,
    schema: { type: "string" },
    example: '"v3"',
  },
  Location: {
    description: "Path of the record that was created, or URL to go on to",
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
    description: "Id of the request; the service's logs contain it",
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
/** The headers of a response, and whether every such response has them. */
export type DeclaredHeaders = { readonly [Name in ResponseHeader]?: "always" | "sometimes" };
