import type { Method } from "./route.ts";

/** What browsers on other origins may do. The gateway alone applies it: a function never sets these headers. */
export interface CorsConfiguration {
  /** Origins in full, or `*`. */
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly Method[];
  readonly allowHeaders: readonly string[];
  /** Each by its full name: gateways know no wildcard inside a name. */
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

/** The configuration of the service for the given storefront origins. */
export function corsFor(allowOrigins: readonly string[]): CorsConfiguration {
  return {
    allowOrigins,
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "If-Match",
      "If-None-Match",
      "Idempotency-Key",
      "X-Cart-Token",
      "X-Order-Token",
    ],
    exposeHeaders: [
      "ETag",
      "Location",
      "X-Cart-Token",
      "X-Request-Id",
      "Idempotent-Replayed",
      "Retry-After",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
    ],
    maxAgeSeconds: 7200,
  };
}
