import type { Shop } from "#shared/application/shop.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import { pauseAfter } from "#shared/runtime/back-off.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { Write } from "#shared/storage/writes.ts";

/** After this time no further check is started; checks in progress have the rest of the function's timeout. */
const workingMs = 35_000;
const batchSize = 100;
const pausesMs = { first: 60_000, longest: 15 * 60_000 };
/** Maximum number of timers that one transaction removes. It also writes the next timer. Others stay due. */
const maxTimers = 99;

interface Timer {
  /** Number of checks in a row that failed or were postponed. */
  readonly attempts: number;
}

/** A kind of scheduled checks, and the timers that make them due. */
export interface DueChecks<DueTimer extends Timer> {
  /** Lists at most `limit` due timers, the longest overdue first. */
  list(now: Date, limit: number): Promise<DueTimer[]>;
  /** The key of the record to which a timer belongs. Timers of one record are never run concurrently. */
  groupBy(timer: DueTimer): string;
  /** `record`: one check covers all due timers of a record; `timer`: each timer has a check of its own, in order. */
  readonly per: "record" | "timer";
  /** Maximum number of records that are checked concurrently. */
  readonly width: number;
  /** Runs a check. Returns when to check again; null if no further check is needed. */
  run(timer: DueTimer, now: Date): Promise<Timestamp | null>;
  /** Whether an error of a check is temporary; by default, if it is `Unavailable`. */
  isTemporary?(error: unknown): boolean;
  remove(timer: DueTimer): Write;
  /** The write that schedules the next check of the timer's record. */
  schedule(timer: DueTimer, next: { at: Timestamp; attempts: number }): Write;
  /** The timer in log lines. */
  facts(timer: DueTimer): Readonly<Record<string, unknown>>;
  /** The events in log lines. */
  readonly messages: {
    readonly failed: string;
    readonly postponed: string;
    /** The timers could not be updated, so they stay due. */
    readonly notUpdated: string;
  };
}

/** Returns a function that says whether a run that starts now may still start checks. */
export function openRun(now: () => Date): () => boolean {
  const until = now().getTime() + workingMs;
  return () => now().getTime() < until;
}

/**
 * Runs the checks that are due. A check that fails is postponed and does not delay others. Checks for which there is no
 * time come first in the next run.
 *
 * @returns the number of checks that failed for a reason that retrying may not fix
 */
export async function runDue<DueTimer extends Timer>(
  checks: DueChecks<DueTimer>,
  shop: Shop<"table" | "log" | "now">,
  inTime: () => boolean,
): Promise<number> {
  let broken = 0;
  for (let more = true; more && inTime();) {
    const due = await checks.list(shop.now(), batchSize);
    const records = [...Map.groupBy(due, checks.groupBy).values()].values();
    let isAnyUpdated = false;
    const work = async () => {
      for (const timers of records) {
        const runs = checks.per === "record" ? [timers] : timers.map((timer) => [timer]);
        for (const run of runs) {
          if (!inTime()) return;
          const { isBroken, isUpdated } = await runCheck(run, checks, shop);
          if (isBroken) broken += 1;
          isAnyUpdated ||= isUpdated;
        }
      }
    };
    await Promise.all(Array.from({ length: checks.width }, work));
    // If no timer was updated, the next list would be the same.
    more = due.length === batchSize && isAnyUpdated;
  }
  return broken;
}

/** @param timers all due timers that the check covers */
async function runCheck<DueTimer extends Timer>(
  timers: readonly DueTimer[],
  checks: DueChecks<DueTimer>,
  { table, log, now }: Shop<"table" | "log" | "now">,
): Promise<{ isBroken: boolean; isUpdated: boolean }> {
  const [first] = timers;
  if (!first) return { isBroken: false, isUpdated: false };
  const { isTemporary = (error) => error instanceof Unavailable, messages } = checks;
  const begun = now();
  const attempts = 1 + Math.max(...timers.map((timer) => timer.attempts));
  const facts = { ...checks.facts(first), attempts };
  let isBroken = false;
  let next: { at: Timestamp; attempts: number } | undefined;
  try {
    const at = await checks.run(first, begun);
    if (at !== null) next = { at: notBefore(at, begun), attempts: 0 };
  } catch (error) {
    isBroken = !isTemporary(error);
    if (isBroken) log.error(messages.failed, { ...facts, error });
    else log.warn(messages.postponed, { ...facts, error });
    next = { at: later(begun, pauseAfter(attempts, pausesMs)), attempts };
  }
  try {
    await table.transact([
      ...timers.slice(0, maxTimers).map((timer) => checks.remove(timer)),
      ...(next ? [checks.schedule(first, next)] : []),
    ]);
    return { isBroken, isUpdated: true };
  } catch (error) {
    // The timers stay due and come first in the next run, which repeats the check.
    log.warn(messages.notUpdated, { ...facts, error });
    return { isBroken, isUpdated: false };
  }
}

const later = (now: Date, ms: number): Timestamp => new Date(now.getTime() + ms).toISOString();

/** The time of the next check. A check that would be due already is moved to a minute from now. */
const notBefore = (at: Timestamp, now: Date): Timestamp =>
  at > now.toISOString() ? at : later(now, pausesMs.first);
