import { publishDue } from "#shared/application/content/publish-due.ts";
import { pauseAfter } from "#shared/runtime/back-off.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  type DuePublication,
  listDuePublications,
  postponeDue,
  removeDue,
} from "#shared/storage/content/due-publications.ts";
import type { Deps } from "./deps.ts";

const pausesMs = { first: 60_000, longest: 15 * 60_000 };
const width = 4;
const batchSize = 100;

type PublishDeps = Pick<Deps, "table" | "log" | "now">;

/**
 * Publishes and unpublishes the records whose time has come. A record that fails does not block others.
 *
 * @returns the number of records that failed for a reason that retrying may not fix
 */
export async function publishDueRecords(deps: PublishDeps, inTime: () => boolean): Promise<number> {
  let broken = 0;
  for (let more = true; more && inTime();) {
    const due = await listDuePublications(deps.table, deps.now(), batchSize);
    // The times of one record are processed one after the other, the earliest first.
    const records = [...Map.groupBy(due, ({ id }) => id).values()].values();
    const work = async () => {
      for (const rows of records) {
        for (const row of rows) {
          if (!inTime()) return;
          const isBroken = (await processRow(row, deps)) === "broken";
          if (isBroken) broken++;
        }
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    more = due.length === batchSize;
  }
  return broken;
}

async function processRow(
  row: DuePublication,
  { table, log, now }: PublishDeps,
): Promise<"done" | "postponed" | "broken"> {
  const { kind, id, action, set_for, attempts } = row;
  const facts = { kind, id, action, set_for, attempts };
  let outcome: "done" | "postponed" | "broken" = "done";
  try {
    const became = await publishDue(table, row, now());
    if (became === "refused")
      log.warn("Scheduled publication refused: a mail informs staff", facts);
  } catch (error) {
    outcome = error instanceof Unavailable ? "postponed" : "broken";
    if (outcome === "broken") log.error("Scheduled publication failed", { ...facts, error });
    else log.warn("Scheduled publication postponed", { ...facts, error });
  }
  try {
    const next = new Date(now().getTime() + pauseAfter(attempts + 1, pausesMs)).toISOString();
    await table.transact(outcome === "done" ? [removeDue(row)] : postponeDue(row, next));
  } catch (error) {
    // The row stays due. The next run processes it again, which changes nothing if the publication was complete.
    log.warn("Timer of a publication not updated: the next run processes it again", {
      ...facts,
      error,
    });
  }
  return outcome;
}
