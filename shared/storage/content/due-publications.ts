import * as z from "zod";
import {
  PublicationAction,
  type SomeTimes,
  changedActions,
  timeOf,
} from "../../domain/base/publication-schedule.ts";
import { Timestamp } from "../../domain/base/text.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** The kinds of records that the schedule can publish at a time that staff set. */
export const PublishedKind = z.enum(["page", "story", "homepage", "product", "sofa"]);
export type PublishedKind = z.output<typeof PublishedKind>;

const partition = "DUE#PUBLICATIONS";

/**
 * A time at which the schedule publishes or unpublishes a record. The row counts only while the record still has this
 * time, so an outdated row is harmless and is never deleted early.
 */
export const DuePublications = entity({
  name: "due_publication",
  notExported: "derived",
  schema: z.object({
    kind: PublishedKind,
    id: z.string(),
    action: PublicationAction,
    /** The time that staff set. */
    set_for: Timestamp,
    /** Id of the staff user who set it. */
    set_by: z.string(),
    /** The time of the next attempt. */
    at: Timestamp,
    /** Number of attempts without a result. */
    attempts: z.int().min(0),
  }),
  key: ({ at, id, action }: { at: string; id: string; action: PublicationAction }) => ({
    pk: partition,
    sk: `${at}#${id}#${action}`,
  }),
});
export type DuePublication = z.output<typeof DuePublications.schema>;

/** The writes that schedule the times that an edit has set. */
export function schedulePublications(
  { kind, id }: { kind: PublishedKind; id: string },
  before: SomeTimes | undefined,
  after: SomeTimes,
  set_by: string,
): Write[] {
  return changedActions(before, after).flatMap((action) => {
    const at = timeOf(after, action);
    if (at === null) return [];
    return put(DuePublications, { kind, id, action, set_for: at, set_by, at, attempts: 0 });
  });
}

export const removeDue = (due: DuePublication): Write => remove(DuePublications, due);

/** Schedules the next attempt of a publication. */
export const scheduleRetry = (
  due: DuePublication,
  next: Pick<DuePublication, "at" | "attempts">,
): Write => put(DuePublications, { ...due, ...next });

/** Publications whose time has come, the longest overdue first. */
export async function listDuePublications(
  table: Pick<Table, "page">,
  now: Date,
  limit: number,
): Promise<DuePublication[]> {
  const { records } = await table.page(DuePublications, { partition }, { limit });
  const until = now.toISOString();
  return records.filter(({ at }) => at <= until);
}
