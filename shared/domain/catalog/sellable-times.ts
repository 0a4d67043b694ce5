import type { Problem, PublicationStatus } from "../base/names.ts";
import {
  type PublicationAction,
  type SomeTimes,
  editedTimes,
  noTimes,
  timeOf,
  timeProblems,
} from "../base/publication-schedule.ts";
import type { PublicationTimes } from "../base/publication-times.ts";
import type { Sellable } from "./product.ts";

type Timed = PublicationTimes & { readonly status: PublicationStatus };

/**
 * The times of a product or sofa after an edit. A time that the edit does not change is cleared when it has become
 * pointless: `publish_at` when the record stops being a draft, `unpublish_at` when it stops being published, both when
 * it is archived.
 */
export function timesAfter(
  before: Timed | undefined,
  status: PublicationStatus,
  sent: SomeTimes,
): PublicationTimes {
  const times = editedTimes(before ?? noTimes, sent);
  const unlessOver = (action: PublicationAction, isOver: boolean) => {
    const at = timeOf(times, action);
    return isOver && at === timeOf(before, action) ? null : at;
  };
  const leaves = (from: PublicationStatus) => before?.status === from && status !== from;
  return {
    publish_at: unlessOver("publish", leaves("draft") || status === "archived"),
    unpublish_at: unlessOver("unpublish", leaves("published") || status === "archived"),
  };
}

/** The problems of the times that staff set. */
export function sellableTimeProblems(
  before: Timed | undefined,
  after: Timed,
  now: Date,
): Problem[] {
  const problems = timeProblems(before, after, now);
  if (after.publish_at !== null && after.status !== "draft") {
    problems.push({
      path: "publish_at",
      message: "The publish at field can be set only for a draft.",
    });
  }
  if (after.unpublish_at !== null && after.status === "archived") {
    problems.push({
      path: "unpublish_at",
      message: "The unpublish at field cannot be set for an archived record.",
    });
  }
  return problems;
}

/** The next version of a record, with the time of the change. The first published version also gets `published_at`. */
export function stamped<Record extends Pick<Sellable, "status" | "published_at" | "version">>(
  record: Record,
  now: Date,
): Record {
  const at = now.toISOString();
  const published_at = record.published_at ?? (record.status === "published" ? at : null);
  return { ...record, published_at, updated_at: at, version: record.version + 1 };
}

/** The next version of a product or sofa after an edit of only its status and times. */
export const withStatus = <Record extends Sellable>(
  before: Record,
  { status, times, now }: { status: PublicationStatus; times: SomeTimes; now: Date },
): Record => stamped({ ...before, ...timesAfter(before, status, times), status }, now);
