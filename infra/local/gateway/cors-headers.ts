import type { CorsConfiguration } from "#shared/http/cors.ts";

/** The gateway's CORS headers, as alternating names and values. */
export interface CorsHeaders {
  onAnswer(origin: string | undefined): readonly string[];
  onPreflight(origin: string | undefined): readonly string[];
}

/**
 * Returns functions that give the CORS headers for a request's origin: none for an origin that is not allowed. The
 * lists are built once, because every response contains them.
 */
export function corsHeaders(configuration: CorsConfiguration): CorsHeaders {
  const exposed = ["access-control-expose-headers", lowerList(configuration.exposeHeaders)];
  const allowed = [
    "access-control-allow-methods",
    configuration.allowMethods.join(","),
    "access-control-allow-headers",
    lowerList(configuration.allowHeaders),
    "access-control-max-age",
    String(configuration.maxAgeSeconds),
  ];

  if (configuration.allowOrigins.includes("*")) {
    const anyOrigin = ["access-control-allow-origin", "*"];
    const answer = [...anyOrigin, ...exposed];
    const preflight = [...anyOrigin, ...allowed];
    return { onAnswer: () => answer, onPreflight: () => preflight };
  }

  const origins = new Set(configuration.allowOrigins);
  const forOrigin = (origin: string | undefined, rest: readonly string[]) =>
    origin !== undefined && origins.has(origin)
      ? ["access-control-allow-origin", origin, "vary", "origin", ...rest]
      : [];
  return {
    onAnswer: (origin) => forOrigin(origin, exposed),
    onPreflight: (origin) => forOrigin(origin, allowed),
  };
}

const lowerList = (names: readonly string[]) => names.join(",").toLowerCase();
