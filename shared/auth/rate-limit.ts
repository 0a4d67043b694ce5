import { AppError } from "../domain/request/app-error.ts";
import { type LimitName, type RateCounters, limits } from "../domain/request/rate-limits.ts";

export interface Admission {
  headers: Record<string, string>;
  /**
   * Reports that the request succeeded. A limit that counts only failures then removes it from the count. Requests are
   * counted at their start, so that concurrent requests cannot exceed the limit before the first of them fails. Calling
   * this again has no effect.
   */
  succeeded(): Promise<void>;
}

/**
 * The caller's key in rate limits. For IPv6 it is the first 64 bits, because one subscriber usually has all addresses
 * that begin with them.
 */
export function callerOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = [], tail = []] = ip.split("::").map((half) => half.split(":").filter(Boolean));
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = [...head, ...gap, ...tail].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/** The result of counting a request against a limit. */
export interface CountedCall {
  headers: Record<string, string>;
  /** The error if the limit is exceeded; otherwise undefined. */
  refusal: AppError | undefined;
  /** Whether it is the last request that the limit allows in this window. */
  isLast: boolean;
  /** Removes the request from the count. */
  undo(): Promise<void>;
}

/**
 * Counts a caller's request against a limit, in fixed windows.
 *
 * @param caller an IP address, or an account's key if the limit is per account
 * @throws AppError `too_many_requests` with Retry-After
 */
export async function admit(
  counters: RateCounters,
  limit: LimitName,
  caller: string,
  now: Date,
): Promise<Admission> {
  const { headers, refusal, undo } = await count(counters, limit, caller, now);
  if (refusal) throw refusal;
  let undone: Promise<void> | undefined;
  return {
    headers,
    async succeeded() {
      if ("counts" in limits[limit]) await (undone ??= undo());
    },
  };
}

/** Counts a request as `admit` does, but returns the refusal instead of throwing it. */
export async function count(
  counters: RateCounters,
  limit: LimitName,
  caller: string,
  now: Date,
): Promise<CountedCall> {
  const { calls } = limits[limit];
  const { counter, second, reset } = counterAt(limit, caller, now);
  const counted = await counters.increment(counter);
  const headers = rateHeaders(calls, { remaining: Math.max(0, calls - counted), reset });
  const refusal =
    counted > calls ? tooMany("Too many requests.", headers, { reset, second }) : undefined;
  return {
    headers,
    refusal,
    isLast: counted === calls,
    undo: async () => void (await counters.increment({ ...counter, by: -1 })),
  };
}

const rateHeaders = (
  calls: number,
  { remaining, reset }: { readonly remaining: number; readonly reset: number },
) => ({
  "X-RateLimit-Limit": String(calls),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(reset),
});

/** @param reset when the caller may call again; like `second`, in Unix seconds */
function tooMany(
  reason: string,
  headers: Readonly<Record<string, string>>,
  { reset, second }: { readonly reset: number; readonly second: number },
): AppError {
  const seconds = reset - second;
  return new AppError("too_many_requests", {
    message: `${reason} Please try again in ${waitInWords(seconds)}.`,
    headers: { ...headers, "Retry-After": String(seconds) },
  });
}

/** The refusal of a caller who has used up a number of calls that is not counted in windows, but stored with a record. */
export function lockedUntil(reason: string, calls: number, until: Date, now: Date): AppError {
  const reset = Math.ceil(until.getTime() / 1000);
  const second = Math.floor(now.getTime() / 1000);
  return tooMany(reason, rateHeaders(calls, { remaining: 0, reset }), { reset, second });
}

/** A waiting time in words, rounded up. */
function waitInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return "a minute";
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** Adds to a caller's count in the current window, and returns the new value. */
export function addToCount(
  counters: RateCounters,
  { limit, caller, by }: { limit: LimitName; caller: string; by: number },
  now: Date,
): Promise<number> {
  return counters.increment({ ...counterAt(limit, caller, now).counter, by });
}

function counterAt(limit: LimitName, caller: string, now: Date) {
  const { seconds } = limits[limit];
  const second = Math.floor(now.getTime() / 1000);
  const window = Math.floor(second / seconds);
  return { counter: { limit, caller, window, seconds }, second, reset: (window + 1) * seconds };
}
