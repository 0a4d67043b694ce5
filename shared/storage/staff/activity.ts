import {
  type Activity,
  Activity as ActivitySchema,
  changesBetween,
} from "../../domain/staff/activity.ts";
import { newId } from "../../domain/base/ids.ts";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import type { Table } from "../table.ts";
import { type Write, put } from "../writes.ts";

const monthOf = (at: string) => at.slice(0, 7);

/** What staff did, by month; also by what it was done to and by who did it. */
export const Activities = entity({
  name: "activity",
  schema: ActivitySchema,
  key: ({ at, id }: { at: string; id: string }) => ({
    pk: `ACTIVITY#${monthOf(at)}`,
    sk: `${at}#${id}`,
  }),
  patterns: { table: [["ACTIVITY#<month>", "<at>#<id>"]] },
  indexes: {
    gsi1: ({ target, at, id }) => ({
      pk: `ACTIVITY#${target.kind}#${target.id}`,
      sk: `${at}#${id}`,
    }),
    gsi2: ({ actor_id, at, id }) => ({ pk: `ACTIVITY#${actor_id}`, sk: `${at}#${id}` }),
  },
});

/** Who does something, in which call. */
export interface AuditContext {
  actor: { id: string };
  requestId: string;
  now: Date;
}

/**
 * The record of a staff write, to be stored in the transaction of that write.
 *
 * @param states the record before and after; undefined where it did not or does not exist
 */
export function recordActivity(
  { actor, requestId, now }: AuditContext,
  action: string,
  target: Activity["target"],
  states: { before?: unknown; after?: unknown } = {},
): Write {
  return put(
    Activities,
    {
      id: newId("act", now),
      at: now.toISOString(),
      actor_id: actor.id,
      action,
      target,
      changes: changesBetween(states.before, states.after),
      request_id: requestId,
    },
    isNew,
  );
}

/** Of a staff user that there is not: in no list, and gone after a day. */
export const NobodysActivities = entity({
  name: "nobodys_activity",
  schema: ActivitySchema,
  key: ({ at, id }: { at: string; id: string }) => ({
    pk: `ACTIVITY#nobody#${id}`,
    sk: `${at}#${id}`,
  }),
  indexes: {
    gsi1: ({ at, id }) => ({ pk: `ACTIVITY#nobody#${id}`, sk: `${at}#${id}` }),
    gsi2: ({ at, id }) => ({ pk: `ACTIVITY#nobody#${id}`, sk: `${at}#${id}` }),
  },
  ttl: ({ at }) => Math.ceil(Date.parse(at) / 1000) + 86_400,
});

/** As much work as `recordActivity`, where nobody reads it. */
export function recordNobody(
  { requestId, now }: Omit<AuditContext, "actor">,
  action: string,
  after: object,
): Write {
  const id = newId("act", now);
  const nobody = newId("stf", now);
  return put(
    NobodysActivities,
    {
      id,
      at: now.toISOString(),
      actor_id: nobody,
      action,
      target: { kind: "staff", id: nobody, label: "nobody" },
      changes: changesBetween(undefined, after),
      request_id: requestId,
    },
    isNew,
  );
}

/** Which records are asked for: of a thing, else of a user, else of a month; `month` narrows any of them. */
export interface ActivityScope {
  target?: Pick<Activity["target"], "kind" | "id"> | undefined;
  actor?: string | undefined;
  /** `2026-11` */
  month: string | undefined;
}

/** Where those records stand. A user's share of what was done to a thing is picked out by the reader. */
export function activityRange({ target, actor, month }: ActivityScope) {
  if (target) {
    return {
      index: "gsi1",
      partition: `ACTIVITY#${target.kind}#${target.id}`,
      prefix: month,
    } as const;
  }
  if (actor !== undefined) {
    return { index: "gsi2", partition: `ACTIVITY#${actor}`, prefix: month } as const;
  }
  return { partition: `ACTIVITY#${month}`, prefix: month } as const;
}

export interface ActivityLog {
  /** One page, newest first. */
  list(
    range: ReturnType<typeof activityRange>,
    page: { limit: number; after: Record<string, unknown> | undefined },
  ): Promise<{ records: Activity[]; next: Record<string, unknown> | undefined }>;
}

export function openActivityLog(table: Table): ActivityLog {
  return {
    list: (range, page) => table.query(Activities, { newestFirst: true, ...range, ...page }),
  };
}
