import type { LimitName } from "#shared/domain/request/rate-limits.ts";
import { type Route, routeKey } from "#shared/http/route.ts";

/** Calls per second of all callers together; beyond it API Gateway answers 429 by itself. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** @param rateLimit calls per second; for a moment twice as many */
export const throttleOf = (rateLimit: number): Throttle => ({
  rateLimit,
  burstLimit: rateLimit * 2,
});

/**
 * Calls per second to routes that limit each caller, by the limit's name: what one limits for its callers' sake is
 * limited for the shop's when they come from everywhere at once.
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

/** The routes that are throttled below the stage's own rate, by their keys. */
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
