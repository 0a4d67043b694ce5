import * as z from "zod";
import { Activity } from "#shared/domain/staff/activity.ts";
import { dayIn, rangeOfMonth } from "#shared/domain/base/day.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { LimitedString } from "#shared/domain/base/text.ts";
import { CursorMeta, CursorPage, cursorAt, positionOf } from "#shared/http/paging.ts";
import { monthOf } from "#shared/domain/metrics/metrics.ts";
import { route, staff } from "#shared/http/route.ts";
import { activityPosition } from "#shared/storage/staff/activity.ts";
import type { Deps } from "./deps.ts";
import { recordKinds } from "./record-kinds.ts";

const ActivityView = Activity.omit({ actor_id: true })
  .extend({
    actor: z.object({
      id: z.string(),
      name: z.string().nullable().meta({ description: "The user's current name" }),
      email: z.string().nullable(),
    }),
  })
  .meta({ id: "Activity" });

/** Kinds of records that staff change. */
export const targetKinds: readonly string[] = [
  ...recordKinds,
  "announcement",
  "category",
  "conversation",
  "coupon",
  "customer",
  "delivery_day",
  "export",
  "faq_group",
  "homepage",
  "lead",
  "location",
  "material",
  "media",
  "menus",
  "newsletter",
  "order",
  "page",
  "product",
  "quote",
  "redirect",
  "role",
  "settings",
  "sofa",
  "sofa_landing",
  "staff",
  "stock",
  "story",
].toSorted();
const kindOf = (target: string) => target.split(":", 1)[0] ?? "";

const Filters = CursorPage.extend({
  actor: Id("stf").optional().meta({ description: "Id of the staff user who made the change" }),
  target: LimitedString(121)
    .regex(/^[a-z_]{1,40}:[\w.#/-]{1,80}$/, {
      error: "The target field must be a kind and an id, such as settings:store.",
      abort: true,
    })
    .refine((target) => targetKinds.includes(kindOf(target)), {
      error: `The kind of the target must be one of ${targetKinds.join(", ")}.`,
    })
    .optional()
    .meta({
      description:
        `The changed record, as \`<kind>:<id>\`. The kind is one of ${targetKinds.join(", ")}. For ` +
        "stock, the id is the SKU",
      example: "product:prd_01KE66PJA0M594E921BVM9D6BK",
    }),
  month: z
    .string()
    .regex(/^(?:20\d\d|2100)-(?:0[1-9]|1[0-2])$/, {
      error: "The month field must be a month such as 2026-01.",
    })
    .optional()
    .meta({
      description:
        "A month of the store. Default: the current month, or all months with another filter",
      example: "2026-11",
    }),
});

export const listActivity = route({
  method: "GET",
  path: "/admin/activity",
  summary: "List staff activity, newest first",
  description:
    "Every change by staff is recorded with its author and the old and new values; secrets are " +
    "masked. With both `actor` and `target`, pages may be shorter than `per_page`.",
  access: staff("activity.view"),
  request: { query: Filters },
  response: { status: 200, data: z.array(ActivityView), meta: CursorMeta },
  async handle({ query, now }, deps: Deps) {
    const { per_page, cursor, actor } = query;
    const target = targetOf(query.target);
    const anyMonth = target !== undefined || actor !== undefined;
    const { timezone } = (await deps.settings.current()).store;
    const month = query.month ?? (anyMonth ? undefined : monthOf(dayIn(timezone, now)));
    const range = month === undefined ? undefined : rangeOfMonth(month, timezone);
    const list = `activity ${JSON.stringify([query.target, actor, month])}`;
    const after = positionOf(cursor, list, activityPosition);
    const scope = { target, actor, range };
    const { records, next } = await deps.activity.list(scope, { limit: per_page, after });
    const wanted = records.filter(({ actor_id }) => (actor ?? actor_id) === actor_id);
    const data = await withActors(wanted, deps);
    return { data, meta: { per_page, next_cursor: cursorAt(next, list) } };
  },
});

async function withActors(records: readonly Activity[], { staff }: Deps) {
  const users = await staff.findMany([...new Set(records.map(({ actor_id }) => actor_id))]);
  const byId = new Map(users.map((user) => [user.id, user]));
  return records.map(({ actor_id: id, ...record }) => {
    const { name = null, email = null } = byId.get(id) ?? {};
    return { ...record, actor: { id, name, email } };
  });
}

function targetOf(target: string | undefined): { kind: string; id: string } | undefined {
  if (target === undefined) return undefined;
  const [kind = "", id = ""] = target.split(":");
  return { kind, id };
}

export const routes = [listActivity];
