import { AppError } from "./errors.ts";
import { type LimitName, limits } from "./limits.ts";

/** Counts calls. Implementations fail open: when they cannot count they answer 1. */
export interface RateCounters {
  /** Adds `by`, one unless given, to the caller's counter of this window and gives the new value. */
  increment(counter: {
    limit: LimitName;
    caller: string;
    window: number;
    seconds: number;
    by?: 1 | -1;
  }): Promise<number>;
}

export interface Admission {
  headers: Record<string, string>;
  /**
   * Says that the call was served: where a limit counts failures only, it is taken off again. Calls are counted when
   * they begin, so that many at once cannot all pass before the first has failed.
   */
  succeeded(): Promise<void>;
}

/**
 * What a limit knows a caller's address by: of IPv6 the first 64 bits, because whoever has one address there has
 * all of them.
 */
export function callerOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = [], tail = []] = ip.split("::").map((half) => half.split(":").filter(Boolean));
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...gap, ...tail].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/**
 * Counts one call of a caller against a limit, in fixed windows.
 *
 * @param caller an IP, or an email where the limit is an account's
 * @throws AppError `too_many_requests` with Retry-After
 */
export async function admit(
  counters: RateCounters,
  limit: LimitName,
  caller: string,
  now: Date,
): Promise<Admission> {
  const { calls, seconds } = limits[limit];
  const second = Math.floor(now.getTime() / 1000);
  const window = Math.floor(second / seconds);
  const counter = { limit, caller, window, seconds };
  const count = await counters.increment(counter);
  const reset = (window + 1) * seconds;
  const headers = {
    "X-RateLimit-Limit": String(calls),
    "X-RateLimit-Remaining": String(Math.max(0, calls - count)),
    "X-RateLimit-Reset": String(reset),
  };
  if (count > calls) {
    throw new AppError("too_many_requests", {
      headers: { ...headers, "Retry-After": String(reset - second) },
    });
  }
  return {
    headers,
    async succeeded() {
      if ("counts" in limits[limit]) await counters.increment({ ...counter, by: -1 });
    },
  };
}
