import { type Route, routeKey } from "#shared/http/route.ts";

/** Requests per second of all callers together. Above it, API Gateway returns 429. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** @param rateLimit requests per second; bursts may reach twice that */
export const throttleOf = (rateLimit: number): Throttle => ({
  rateLimit,
  burstLimit: rateLimit * 2,
});

/**
 * Share of the stage's rate that one route with a limit per caller may use. If such a route is flooded, the rest of the
 * rate is left to other routes. The share is not lower, because all callers have it in common: refused calls count too,
 * so one host could lock all others out of a route with a low limit.
 */
const share = 0.4;

/** Limits of the routes whose limit is lower than the stage's, by route key. */
export function lowerThrottles(
  routes: readonly Pick<Route, "method" | "path" | "outsideApi" | "limit">[],
  stageRate: number,
): Map<string, Throttle> {
  return new Map(
    routes
      .filter(({ limit }) => limit !== undefined)
      .map((route) => [routeKey(route), throttleOf(Math.floor(stageRate * share))]),
  );
}
