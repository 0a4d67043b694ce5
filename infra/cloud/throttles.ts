import { type Route, routeKey } from "#shared/http/route.ts";

/** Requests per second of all callers together. Above this rate, API Gateway returns 429. */
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
 * Share of the stage's request rate that a single route may use, if it also has a limit per caller. A flood of calls to
 * such a route leaves the remaining rate to the other routes. All callers of the route share this limit, and refused
 * calls count too. So with a much lower share, one host could lock all other callers out.
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
