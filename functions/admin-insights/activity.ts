import type { Shop } from "#shared/application/shop.ts";
import { openStaff } from "#shared/storage/staff/staff.ts";
import * as z from "zod";
import { Activity } from "#shared/domain/staff/activity.ts";
import { dayIn, plusDays, rangeOfMonth, startOfDay } from "#shared/domain/base/day.ts";
import { Id } from "#shared/domain/base/ids.ts";
import { Day, LimitedString } from "#shared/domain/base/text.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { monthOf } from "#shared/domain/metrics/metrics.ts";
import { staff } from "#shared/http/route.ts";
import {
  openActivityLog,
  type ActivityScope,
  activityPosition,
} from "#shared/storage/staff/activity.ts";
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
  action: LimitedString(80)
    .regex(/^[a-z_]+\.[a-z_]+$/, { error: "The action field must be such as order.update." })
    .optional()
    .meta({
      description: "What was done, as `action` of a record says it",
      example: "order.update",
    }),
  from: Day.optional().meta({ description: "First day, in the shop's timezone" }),
  to: Day.optional().meta({
    description: "Last day, in the shop's timezone. Default with `from`: today",
  }),
  month: z
    .string()
    .regex(/^(?:20\d\d|2100)-(?:0[1-9]|1[0-2])$/, {
      error: "The month field must be a month such as 2026-01.",
    })
    .optional()
    .meta({
      description:
        "A month of the store, instead of `from` and `to`. Default: the current month, or all months with `actor` or " +
        "`target`",
      example: "2026-11",
    }),
});
type Filters = z.output<typeof Filters>;

export const listActivity = listRoute({
  path: "/admin/activity",
  summary: "List staff activity, newest first",
  description:
    "Every change by staff is recorded with its author and the old and new values; secrets are " +
    "masked. With `action`, and with both `actor` and `target`, pages may be shorter than `per_page`.",
  access: staff("activity.view"),
  query: Filters,
  row: ActivityView,
  async list({ query, now }, { table, settings }: Shop<"table" | "settings", "store">) {
    const { actor, action } = query;
    const { timezone } = (await settings.current()).store;
    const scope = { target: targetOf(query.target), actor, range: rangeOf(query, timezone, now) };
    const matches = (record: Activity) =>
      (actor ?? record.actor_id) === record.actor_id && (action ?? record.action) === record.action;
    return {
      name: `activity ${JSON.stringify([query.target, actor, action, scope.range])}`,
      position: activityPosition,
      page: (at) => openActivityLog(table).list(scope, { ...at, matches }),
    };
  },
  shown: (records, _call, shop) => withActors(records, shop),
});

/** Days beyond are in other calls: each month is a read of its own. */
const mostDays = 366;

/**
 * The time range of the filters; undefined for all times, which a target or an actor allows.
 *
 * @throws AppError `validation_failed`
 */
function rangeOf(
  { from, to, month, target, actor }: Filters,
  timezone: string,
  now: Date,
): ActivityScope["range"] {
  const anyTime = target !== undefined || actor !== undefined;
  const today = dayIn(timezone, now);
  if (from === undefined && to === undefined) {
    if (month === undefined && anyTime) return undefined;
    return rangeOfMonth(month ?? monthOf(today), timezone);
  }
  if (month !== undefined) throw invalidField("month", "Give either a month or from and to.");
  if (from === undefined) throw invalidField("from", "Give the first day, too.");
  const last = to ?? today;
  if (from > last) {
    throw invalidField("to", "The to field must be a date after or equal to from.");
  }
  if (last >= plusDays(from, mostDays)) {
    throw invalidField("to", `The to field must be within ${mostDays} days of from.`);
  }
  return { from: startOfDay(from, timezone), until: startOfDay(plusDays(last, 1), timezone) };
}

async function withActors(records: readonly Activity[], { table }: Shop<"table">) {
  const users = await openStaff(table).findMany([
    ...new Set(records.map(({ actor_id }) => actor_id)),
  ]);
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
