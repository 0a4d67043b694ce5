import {
  type Activity,
  Activity as ActivitySchema,
  changesBetween,
} from "../../domain/staff/activity.ts";
import { newId } from "../../domain/base/ids.ts";
import { isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type KeyRange, endAt, sortKeyAt } from "../pages.ts";
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

/** The records to list: those of the target, else of the actor, else of all; always those in the time range. */
export interface ActivityScope {
  readonly target?: Pick<Activity["target"], "kind" | "id"> | undefined;
  readonly actor?: string | undefined;
  /** Required without target and actor. */
  readonly range?: { readonly from: Date; readonly until: Date } | undefined;
}

/** The partition of the records of a target. */
export const activityOfTarget = ({ kind, id }: Pick<Activity["target"], "kind" | "id">) =>
  ({ index: "gsi1", partition: `ACTIVITY#${kind}#${id}` }) as const;

/** The partitions that hold the records of a scope, newest first. For a target, the reader filters by actor. */
function partitionsOf({ target, actor, range }: ActivityScope) {
  if (target) return [activityOfTarget(target)];
  if (actor !== undefined) return [{ index: "gsi2", partition: `ACTIVITY#${actor}` } as const];
  if (!range) return [];
  return monthsIn(range).map((month) => ({ partition: `ACTIVITY#${month}` }));
}

/** The months in UTC that a range touches, newest first. */
function monthsIn({ from, until }: NonNullable<ActivityScope["range"]>): string[] {
  const last = new Date(until.getTime() - 1);
  const count = monthNumber(last) - monthNumber(from) + 1;
  return Array.from({ length: count }, (_, back) =>
    monthOf(new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - back)).toISOString()),
  );
}

const monthNumber = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();

/** A position in the log: the last record that was returned. */
export const activityPosition = /^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z#act_[0-9A-Z]{26}$/;

/** How many records are read for each one of a page, if few match. */
const readPerRecord = 10;

export interface ActivityLog {
  /** One page, newest first. `next` is the position after which the following page starts; null at the end. */
  list(
    scope: ActivityScope,
    page: {
      limit: number;
      after?: string | undefined;
      matches?: (record: Activity) => boolean;
    },
  ): Promise<{ records: Activity[]; next: string | null }>;
}

export function openActivityLog(table: Table): ActivityLog {
  return {
    async list(scope, { limit, after, matches = () => true }) {
      const { range } = scope;
      const [at = "", id = ""] = after?.split("#") ?? [];
      const key = Activities.key({ at, id });
      const partitions = partitionsOf(scope);
      const current = partitions.findIndex(({ partition }) => partition === key.pk);
      const records: Activity[] = [];
      let left = limit * readPerRecord;
      for (const of of partitions.slice(Math.max(0, current))) {
        const keys: KeyRange = {
          ...of,
          newestFirst: true,
          // The sort keys of the range's end are longer than its time, and therefore not between these two.
          ...(range && { between: [range.from.toISOString(), range.until.toISOString()] }),
        };
        const starts = after !== undefined && (keys.index || keys.partition === key.pk);
        const page = await table.page(Activities, keys, {
          limit: limit - records.length,
          after: starts ? endAt(keys, after, key) : undefined,
          matches,
          most: Math.max(left, limit),
        });
        records.push(...page.records);
        left -= page.read;
        if (page.next) return { records, next: sortKeyAt(keys, page.next) };
        const last = records.at(-1);
        if (last && records.length === limit) return { records, next: `${last.at}#${last.id}` };
      }
      return { records, next: null };
    },
  };
}
