import { AppError } from "../domain/request/app-error.ts";
import {
  type Counter,
  type LimitName,
  type NestedCounter,
  type NestedRateCounters,
  type RateCounters,
  limits,
} from "../domain/request/rate-limits.ts";

export interface Admission {
  headers: Record<string, string>;
  /**
   * Reports that the request succeeded. A limit that counts only failures then removes it from the count. Requests are
   * counted at their start, so that concurrent requests cannot exceed the limit before the first of them fails. Calling
   * this again has no effect.
   */
  succeeded(): Promise<void>;
  /**
   * Returns the counters that `succeeded` would reduce, for a caller that reduces them in the transaction of its own
   * writes. Then `succeeded` has no effect.
   */
  takeCounters(): readonly Counter[];
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

/** A network whose calls are counted together. */
interface Network {
  readonly caller: string;
  /** How many times the limit of one caller applies to it. */
  readonly times: number;
}

/** The networks around a caller by IPv6: its /56, which a household may have, and its /48, as companies have. */
function networksAround(caller: string): Network[] {
  const [, prefix] = /^([0-9a-f:]+)::\/64$/.exec(caller) ?? [];
  if (prefix === undefined) return [];
  const [site, subnet] = [prefix.slice(0, prefix.lastIndexOf(":")), prefix.split(":").at(-1)!];
  const household = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [
    { caller: `${site}:${household}::/56`, times: 4 },
    { caller: `${site}::/48`, times: 16 },
  ];
}

const networksOf = (limit: LimitName, caller: string): Network[] => [
  { caller, times: 1 },
  ...("networks" in limits[limit] ? networksAround(caller) : []),
];

/** Two limits of the same callers. The windows of the inner one lie within those of the outer one. */
interface NestedLimits {
  readonly outer: LimitName;
  readonly inner: LimitName;
}

/** The result of counting a request against a limit. */
export interface CountedCall {
  headers: Record<string, string>;
  /** The error if the limit is exceeded; otherwise undefined. */
  refusal: AppError | undefined;
  /** Whether it is the last request that the limit allows in this window. */
  isLast: boolean;
  /** The counters that contain the request. */
  counters: readonly Counter[];
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
  const counted = await countAttempt(counters, limit, caller, now);
  if (counted.refusal) throw counted.refusal;
  let undone = "counts" in limits[limit] ? undefined : Promise.resolve();
  return {
    headers: counted.headers,
    async succeeded() {
      await (undone ??= counted.undo());
    },
    takeCounters() {
      if (undone) return [];
      undone = Promise.resolve();
      return counted.counters;
    },
  };
}

/** Counts a request as `admit` does, but returns the refusal instead of throwing it. */
export async function countAttempt(
  counters: RateCounters,
  limit: LimitName,
  caller: string,
  now: Date,
): Promise<CountedCall> {
  const { calls } = limits[limit];
  const networks = networksOf(limit, caller);
  const counted = await countIn(networks, counters, { limit, calls, now });
  return { ...judged(limit, counted.left, now), counters: counted.counters, undo: counted.undo };
}

/**
 * Counts a caller's request against two limits in one request to the counters. The inner limit refuses first. A refused
 * request does not stay counted.
 */
export async function countBoth(
  counters: NestedRateCounters,
  of: NestedLimits,
  caller: string,
  now: Date,
): Promise<Omit<CountedCall, "headers">> {
  const counter = nestedCounterAt(of, caller, now);
  const counts = await counters.incrementBoth(counter);
  const inner = judged(of.inner, limits[of.inner].calls - counts.inner, now);
  const outer = judged(of.outer, limits[of.outer].calls - counts.outer, now);
  const undo = async () => void (await counters.incrementBoth({ ...counter, by: -1 }));
  const refusal = inner.refusal ?? outer.refusal;
  if (refusal) await undo();
  return { refusal, isLast: inner.isLast || outer.isLast, counters: [counter], undo };
}

/** The number of requests that the inner of two limits has counted in its current window. */
export async function innerCount(
  counters: NestedRateCounters,
  of: NestedLimits,
  caller: string,
  now: Date,
): Promise<number> {
  const { inner } = await counters.incrementBoth({ ...nestedCounterAt(of, caller, now), by: 0 });
  return inner;
}

/** @param left the number of requests that the limit still allows in this window; negative if this one exceeds it */
function judged(limit: LimitName, left: number, now: Date) {
  const { second, reset } = windowAt(limit, now);
  const headers = rateHeaders(limits[limit].calls, { remaining: Math.max(0, left), reset });
  const refusal = left < 0 ? tooMany("Too many requests.", headers, { reset, second }) : undefined;
  return { headers, refusal, isLast: left === 0 };
}

/**
 * Counts something that a caller gets, and whose number per caller is exact elsewhere, against the networks around it.
 *
 * @param options.calls limit of one caller
 * @param options.reason first sentence of the error
 * @returns removes it from the count, if the caller does not get it
 * @throws AppError `too_many_requests` with Retry-After
 */
export async function countAround(
  counters: RateCounters,
  caller: string,
  options: {
    readonly limit: LimitName;
    readonly calls: number;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<() => Promise<void>> {
  const { limit, calls, reason, now } = options;
  const { isOver, undo } = await countIn(networksAround(caller), counters, options);
  if (!isOver) return undo;
  await undo();
  const { second, reset } = windowAt(limit, now);
  throw tooMany(reason, rateHeaders(calls, { remaining: 0, reset }), { reset, second });
}

/**
 * Counts a call in each network. One that a network refuses does not use up the limits of the others, or a stranger
 * could lock out their neighbours.
 */
async function countIn(
  networks: readonly Network[],
  counters: RateCounters,
  { limit, calls, now }: { limit: LimitName; calls: number; now: Date },
): Promise<{
  left: number;
  isOver: boolean;
  counters: readonly Counter[];
  undo(): Promise<void>;
}> {
  const counted = await Promise.all(
    networks.map(async ({ caller, times }) => {
      const counter = counterAt(limit, caller, now);
      return { counter, left: calls * times - (await counters.increment(counter)) };
    }),
  );
  const removeFrom = async (some: typeof counted) => {
    await Promise.all(some.map(({ counter }) => counters.increment({ ...counter, by: -1 })));
  };
  const within = counted.filter(({ left }) => left >= 0);
  const isOver = within.length < counted.length;
  if (isOver) await removeFrom(within);
  const kept = isOver ? counted.filter(({ left }) => left < 0) : counted;
  return {
    left: Math.min(...counted.map(({ left }) => left)),
    isOver,
    counters: kept.map(({ counter }) => counter),
    undo: () => removeFrom(kept),
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

/** Adds to a caller's count in the current window, also of its networks, and returns the caller's new value. */
export async function addToCount(
  counters: RateCounters,
  { limit, caller, by }: { limit: LimitName; caller: string; by: number },
  now: Date,
): Promise<number> {
  const [own] = await Promise.all(
    networksOf(limit, caller).map((network) =>
      counters.increment({ ...counterAt(limit, network.caller, now), by }),
    ),
  );
  return own!;
}

function windowAt(limit: LimitName, now: Date) {
  const { seconds } = limits[limit];
  const second = Math.floor(now.getTime() / 1000);
  const window = Math.floor(second / seconds);
  return { window, seconds, second, reset: (window + 1) * seconds };
}

function counterAt(limit: LimitName, caller: string, now: Date): Counter {
  const { window, seconds } = windowAt(limit, now);
  return { limit, caller, window, seconds };
}

function nestedCounterAt({ outer, inner }: NestedLimits, caller: string, now: Date): NestedCounter {
  const { window } = windowAt(inner, now);
  return { ...counterAt(outer, caller, now), inner: { limit: inner, window } };
}
