import type { Shop } from "#shared/application/shop.ts";
import { publishDue } from "./publish-due.ts";
import {
  type DuePublication,
  listDuePublications,
  removeDue,
  scheduleRetry,
} from "#shared/storage/content/due-publications.ts";
import { runDue } from "#shared/application/run-due.ts";

/** How many records are published concurrently. */
const width = 4;

/**
 * Publishes and unpublishes the records whose time has come. A record that fails does not block others.
 *
 * @returns the number of records that failed for a reason that retrying may not fix
 */
export async function publishDueRecords(
  shop: Shop<"table" | "log" | "now">,
  inTime: () => boolean,
): Promise<number> {
  const { table, log, now } = shop;
  return runDue<DuePublication>(
    {
      list: (until, limit) => listDuePublications(table, until, limit),
      groupBy: ({ id }) => id,
      per: "timer",
      width,
      async run(due) {
        const outcome = await publishDue(table, due, now());
        if (outcome === "refused") {
          log.warn("Scheduled publication refused: a mail informs staff", facts(due));
        }
        return null;
      },
      remove: removeDue,
      schedule: scheduleRetry,
      facts,
      messages: {
        failed: "Scheduled publication failed",
        postponed: "Scheduled publication postponed",
        // Processing it again changes nothing if the publication was complete.
        notUpdated: "Timer of a publication not updated: the next run processes it again",
      },
    },
    shop,
    inTime,
  );
}

const facts = ({ kind, id, action, set_for }: DuePublication) => ({ kind, id, action, set_for });
