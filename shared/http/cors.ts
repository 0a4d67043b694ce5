import { responseHeaders } from "./response-headers.ts";
import type { Method } from "./route.ts";

/** The CORS rules. Only the gateway applies them: a function never sets these headers. */
export interface CorsConfiguration {
  /** Full origins, or `*`. */
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly Method[];
  readonly allowHeaders: readonly string[];
  /** Full header names, because gateways support no wildcard inside a name. */
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

/** The CORS configuration for these storefront origins. */
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
    exposeHeaders: Object.keys(responseHeaders),
    maxAgeSeconds: 7200,
  };
}
