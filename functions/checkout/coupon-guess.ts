import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { Deps } from "./deps.ts";

/**
 * Counts a coupon code in a request against the limit on trying codes. It runs concurrently with the reads that
 * check the code, so its rejection is not reported as unhandled until it is awaited.
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
