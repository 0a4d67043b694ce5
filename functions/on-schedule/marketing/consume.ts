import type { Timestamp } from "#shared/domain/base/text.ts";
import { pauseAfter } from "#shared/runtime/back-off.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  type MarketingTask,
  type MarketingTimer,
  listDueTasks,
  removeTask,
  scheduleTask,
} from "#shared/storage/marketing/marketing-timers.ts";
import { Refused } from "#shared/storage/writes.ts";
import { remindOfCart } from "./cart-reminder.ts";
import type { Deps } from "./deps.ts";
import { announcePrice } from "./price-drop.ts";
import { announceStock } from "./back-in-stock.ts";

const batchSize = 100;
/** How many checks run concurrently. */
const width = 5;
/** After this time no further check is started; those in progress have the rest of the function's timeout. */
const workingMs = 35_000;
const pausesMs = { first: 60_000, longest: 15 * 60_000 };
/** Maximum number of timers that one transaction removes. It also writes the next timer. */
const maxRows = 99;

/**
 * Each check publishes the letters that are due. Returns when to check again; null if nothing needs a check until a
 * later change schedules one.
 */
const checks: Record<MarketingTask, (about: string, deps: Deps) => Promise<Timestamp | null>> = {
  back_in_stock: announceStock,
  price_drop: announcePrice,
  cart_reminder: remindOfCart,
};

/**
 * Runs the checks that are due. A check that fails is postponed and does not delay others.
 *
 * @throws Error when a check failed for a reason that retrying may not fix, so that an alarm is raised. By then, all
 *   other checks are done or postponed
 */
export async function consume(_event: unknown, deps: Deps): Promise<void> {
  const until = deps.now().getTime() + workingMs;
  const inTime = () => deps.now().getTime() < until;
  let broken = 0;
  for (let more = true; more && inTime();) {
    const due = await listDueTasks(deps.table, deps.now(), batchSize);
    // Several timers of one record need only one check.
    const tasks = [...Map.groupBy(due, ({ task, about }) => `${task}#${about}`).values()].values();
    const work = async () => {
      for (const rows of tasks) {
        if (!inTime()) return;
        if ((await run(rows, deps)) === "broken") broken += 1;
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    more = due.length === batchSize;
  }
  if (broken > 0) throw new Error(`${broken} checks for marketing mail failed`);
}

/** @param rows all due timers of one check */
async function run(
  rows: readonly MarketingTimer[],
  deps: Deps,
): Promise<"done" | "postponed" | "broken"> {
  const [first] = rows;
  if (!first) return "done";
  const { table, log, now } = deps;
  const { task, about } = first;
  const begun = now();
  const attempts = 1 + Math.max(...rows.map((row) => row.attempts));
  let outcome: "done" | "postponed" | "broken" = "done";
  let next: { at: Timestamp; attempts: number } | null;
  try {
    const at = await checks[task](about, deps);
    next = at === null ? null : { at: notBefore(at, begun), attempts: 0 };
  } catch (error) {
    // `Refused`: another writer has changed a record during the check.
    const isPassing = error instanceof Unavailable || error instanceof Refused;
    outcome = isPassing ? "postponed" : "broken";
    const facts = { task, about, attempts, error };
    if (isPassing) log.warn("Check for marketing mail postponed", facts);
    else log.error("Check for marketing mail failed", facts);
    next = { at: later(begun, pauseAfter(attempts, pausesMs)), attempts };
  }
  await table.transact([
    ...rows.slice(0, maxRows).map(removeTask),
    ...(next ? [scheduleTask({ task, about, at: next.at }, next.attempts)] : []),
  ]);
  return outcome;
}

const later = (now: Date, ms: number): Timestamp => new Date(now.getTime() + ms).toISOString();

/** The time of the next check, at least a minute from now if it would be due already. */
const notBefore = (at: Timestamp, now: Date): Timestamp =>
  at > now.toISOString() ? at : later(now, pausesMs.first);
