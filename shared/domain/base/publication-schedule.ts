import * as z from "zod";
import type { Problem } from "./names.ts";
import { type PublicationTimes, UtcTime } from "./publication-times.ts";

/** `publish_at` and `unpublish_at`, as staff write them. */
export const publishTimeInput = {
  publish_at: UtcTime.nullable().optional().meta({
    description: "A future time to publish the draft. Default: unchanged",
  }),
};
export const publicationTimesInput = {
  ...publishTimeInput,
  unpublish_at: UtcTime.nullable().optional().meta({
    description:
      "A future time after `publish_at` to remove the published copy. Default: unchanged",
  }),
};

/** What the schedule does to a record at one of its times. */
export const PublicationAction = z.enum(["publish", "unpublish"]);
export type PublicationAction = z.output<typeof PublicationAction>;

/** A record's times, or some of them: the homepage has no `unpublish_at`. */
export type SomeTimes = {
  readonly [Name in keyof PublicationTimes]?: PublicationTimes[Name] | undefined;
};

const memberOf = { publish: "publish_at", unpublish: "unpublish_at" } as const;

/** The time that is set for an action; null if none is set. */
export const timeOf = (times: SomeTimes | undefined, action: PublicationAction): string | null =>
  times?.[memberOf[action]] ?? null;

/**
 * The members that clear the time of an action. Unpublishing also clears `publish_at`: it is earlier than
 * `unpublish_at`, so the schedule has missed it.
 */
export const withoutTime = (action: PublicationAction): Partial<PublicationTimes> =>
  action === "publish" ? { publish_at: null } : { publish_at: null, unpublish_at: null };

/** The actions whose times an edit sets, changes or clears. */
export const changedActions = (before: SomeTimes | undefined, after: SomeTimes) =>
  PublicationAction.options.filter((action) => timeOf(after, action) !== timeOf(before, action));

/** The times after an edit. Times that the edit does not contain stay unchanged. */
export const editedTimes = <Times extends SomeTimes>(
  before: Times,
  { publish_at = before.publish_at, unpublish_at = before.unpublish_at }: SomeTimes,
): { publish_at: Times["publish_at"]; unpublish_at: Times["unpublish_at"] } => ({
  publish_at,
  unpublish_at,
});

export const noTimes: PublicationTimes = { publish_at: null, unpublish_at: null };

/**
 * The problems of the times that an edit sets. A time that the edit does not change may be in the past, because the
 * schedule may not have reached it yet.
 */
export function timeProblems(
  before: SomeTimes | undefined,
  after: SomeTimes,
  now: Date,
): Problem[] {
  const changed = changedActions(before, after);
  const past = changed.flatMap((action): Problem[] => {
    const at = timeOf(after, action);
    if (at === null || Date.parse(at) > now.getTime()) return [];
    return [{ path: memberOf[action], message: `The ${action} at field must be in the future.` }];
  });
  const [publishAt, unpublishAt] = [timeOf(after, "publish"), timeOf(after, "unpublish")];
  const isReversed = publishAt !== null && unpublishAt !== null && unpublishAt <= publishAt;
  if (!isReversed || changed.length === 0) return past;
  const message = "The unpublish at field must be after the publish at field.";
  return [...past, { path: memberOf.unpublish, message }];
}
