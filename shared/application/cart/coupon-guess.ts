import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { RateCounters } from "#shared/domain/request/rate-limits.ts";

/**
 * Counts a request with a coupon code against the limit on guessing codes. The caller awaits the promise after it has
 * checked the code. If the promise rejects before that, the rejection is not reported as unhandled.
 *
 * @returns null when no code was sent
 */
export function countGuess(
  { ip, now }: { readonly ip: string; readonly now: Date },
  code: string | null | undefined,
  { rates }: { readonly rates: RateCounters },
): Promise<unknown> | null {
  if (code === null || code === undefined) return null;
  const admission = admit(rates, "coupon", callerOf(ip), now);
  admission.catch(() => undefined);
  return admission;
}
