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

/** Staff activity by month, by target and by actor. */
export const Activities = entity({
  name: "activity",
  notExported: "internal",
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

/** Who acts, and in which request. */
export interface AuditContext {
  actor: { id: string };
  requestId: string;
  now: Date;
}

/**
 * The activity record of a staff write. Include it in the transaction of that write.
 *
 * @param states the record before and after; undefined for a state in which it did not exist
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

/** Activity of an unknown staff user: it appears in no list and expires after a day. */
export const UnknownUserActivities = entity({
  name: "nobodys_activity",
  notExported: "internal",
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

/** Costs as much as `recordActivity`, so that timing does not reveal whether the user exists. */
export function recordUnknownUser(
  { requestId, now }: Omit<AuditContext, "actor">,
  action: string,
  after: object,
): Write {
  const id = newId("act", now);
  const nobody = newId("stf", now);
  return put(
    UnknownUserActivities,
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

/**
 * The records to list: those of the target, else of the actor, else of the month. `month` narrows each of these lists.
 */
export interface ActivityScope {
  target?: Pick<Activity["target"], "kind" | "id"> | undefined;
  actor?: string | undefined;
  /** `2026-11` */
  month: string | undefined;
}

/**
 * The range of the table or of an index that holds the records of a scope. For a target, the reader filters by actor.
 */
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
