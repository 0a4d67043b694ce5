import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { Deps } from "./deps.ts";

/**
 * Counts a request with a coupon code against the limit on guessing codes. The count runs while the code is checked,
 * and the caller awaits it later. Until then, a rejection of the promise must not be reported as unhandled.
 *
 * @returns null when no code was sent
 */
export function countGuess(
  { ip, now }: { readonly ip: string; readonly now: Date },
  code: string | null | undefined,
  { rates }: Pick<Deps, "rates">,
): Promise<unknown> | null {
  if (code === null || code === undefined) return null;
  const admission = admit(rates, "coupon", callerOf(ip), now);
  admission.catch(() => undefined);
  return admission;
}
