import type { LimitName } from "#shared/domain/request/rate-limits.ts";
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
 * Requests per second to routes with a limit per caller, by the limit's name. They protect the shop when many callers
 * send such requests together.
 */
const perSecond: Partial<Record<LimitName, number>> = {
  login: 20,
  register: 10,
  forgot_password: 5,
  reset_password: 10,
  verify_email: 10,
  settings_test: 2,
  leads: 10,
  quotes: 10,
  fabric_upload: 10,
  checkout: 50,
};
const otherwise = 100;

/** Throttles of the routes that have a lower one than the stage, by route key. */
export function lowerThrottles(
  routes: readonly Pick<Route, "method" | "path" | "outsideApi" | "limit">[],
  stageRate: number,
): Map<string, Throttle> {
  return new Map(
    routes.flatMap((route) => {
      const rate = route.limit && (perSecond[route.limit] ?? otherwise);
      return rate && rate < stageRate ? [[routeKey(route), throttleOf(rate)] as const] : [];
    }),
  );
}
