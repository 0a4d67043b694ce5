import { admit, callerOf } from "#shared/auth/rate-limit.ts";
import type { Deps } from "./deps.ts";

/**
 * Counts a code that came with a request against the limit on trying codes, wherever it came in. It runs beside the
 * reads that judge the code, so its failure is no unhandled rejection until somebody waits for it.
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
