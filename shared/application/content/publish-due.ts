import { type SomeTimes, timeOf, withoutTime } from "#shared/domain/base/publication-schedule.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { is } from "#shared/storage/conditions.ts";
import type { DuePublication, PublishedKind } from "#shared/storage/content/due-publications.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { retryOnConflict } from "#shared/storage/retry-on-conflict.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import type { Table } from "#shared/storage/table.ts";
import {
  type DueKind,
  dueHomepage,
  duePages,
  dueProducts,
  dueSofas,
  dueStories,
} from "./due-kinds.ts";

type Timed = SomeTimes & { readonly version: number };

/** What became of a due publication: `outdated` means that staff have changed or cleared the time. */
type DueOutcome = "done" | "outdated" | "refused";

type Run = (table: Table, due: DuePublication, now: Date) => Promise<DueOutcome>;

/**
 * Publishes or unpublishes a record at its time, in the name of the staff user who set the time. May be called
 * repeatedly and concurrently: it acts only while the record still has this time. If a rule refuses the action, the
 * time is cleared, and the activity log and a mail to the shop say why.
 *
 * @throws Unavailable when storage does not answer; call again later
 */
export const publishDue: Run = (table, due, now) => runs[due.kind](table, due, now);

const runOf =
  <Record extends Timed>(kind: DueKind<Record>): Run =>
  async (table, due, now) => {
    const { id, action, set_for, set_by } = due;
    const audit = { actor: { id: set_by }, requestId: `schedule-${id}-${set_for}`, now };
    const read = () => kind.read(table, id);
    return retryOnConflict(await read(), read, async (record) => {
      if (!record || timeOf(record, action) !== set_for) return "outdated";
      try {
        await kind.run(record, action, { table, audit });
        return "done";
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        await giveUp(kind, record, due, { table, audit, error });
        return "refused";
      }
    });
  };

const runs: Record<PublishedKind, Run> = {
  page: runOf(duePages),
  story: runOf(dueStories),
  homepage: runOf(dueHomepage),
  product: runOf(dueProducts),
  sofa: runOf(dueSofas),
};

/** Clears the time of an action that a rule refused, and tells staff why. */
async function giveUp<Record extends Timed>(
  kind: DueKind<Record>,
  record: Record,
  { kind: name, id, action, set_for: at }: DuePublication,
  { table, audit, error }: { table: Table; audit: AuditContext; error: AppError },
): Promise<void> {
  const { now } = audit;
  const label = kind.labelOf(record);
  const times = withoutTime(action);
  const after = { ...record, ...times, version: record.version + 1 };
  await table.transact([
    kind.put(after, is("version", record.version)),
    recordActivity(
      audit,
      `${name}.${action}_failed`,
      { kind: name, id, label },
      {
        before: { [`${action}_at`]: at },
        after: { ...times, reason: error.refusal.errors ?? error.message },
      },
    ),
    publishEvent(
      { type: "publication_failed", kind: name, id, label, action, at, reason: error.message },
      now,
    ),
  ]);
}
