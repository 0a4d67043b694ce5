import * as z from "zod";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import {
  CouponInput,
  CouponState,
  AdminCoupon,
  couponState,
  adminCoupon,
} from "#shared/domain/pricing/admin-coupon.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { answerOnce } from "#shared/application/create-once.ts";
import { editForm } from "#shared/domain/request/edit-form.ts";
import { change, edit, orNotFound } from "#shared/application/edit.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { CursorMeta, CursorPage, cursorOf, keyOfCursor } from "#shared/http/paging.ts";
import { flag } from "#shared/http/query.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import {
  type CountedCoupon,
  findCoupon,
  listCoupons,
} from "#shared/storage/pricing/coupon-edits.ts";
import { couponList } from "#shared/storage/pricing/coupons.ts";
import type { Deps } from "./deps.ts";
import { dropCoupon, storeCoupon } from "./save-coupon.ts";
import { LimitedString } from "#shared/domain/base/text.ts";

const form = editForm(CouponInput, AdminCoupon);
const pathOf = (id: string) => `/admin/coupons/${id}`;
const example: z.input<typeof CouponInput> = {
  code: "DIWALI15",
  description: "Fifteen per cent off rugs",
  benefit: { kind: "percent", bps: 1_500, cap: 500_000 },
  starts_at: "2026-11-01T00:00:00+05:30",
  ends_at: "2026-11-16T00:00:00+05:30",
  max_uses: 500,
  applies_to: { categories: ["rugs"] },
};

const answerOf = ({ coupon, uses }: CountedCoupon, now: Date) => ({
  data: adminCoupon(coupon, uses, now),
  version: coupon.version,
});

export const listAllCoupons = route({
  method: "GET",
  path: "/admin/coupons",
  summary: "List coupons, by code",
  description:
    "With `active` or `state`, a page may hold fewer items than `per_page` although a cursor " +
    "follows.",
  access: staff("orders.view"),
  request: {
    query: CursorPage.extend({
      q: LimitedString(32)
        .trim()
        .toUpperCase()
        .min(1)
        .optional()
        .meta({ description: "Beginning of the code", example: "DIWALI" }),
      active: flag.optional().meta({ description: "Whether the coupon is switched on" }),
      state: CouponState.optional(),
    }),
  },
  response: { status: 200, data: z.array(AdminCoupon), meta: CursorMeta },
  async handle({ query, now }, { table }: Deps) {
    const { per_page, cursor, q: prefix, active, state } = query;
    const list = { attribute: "gsi1pk", value: couponList, prefix };
    const after = keyOfCursor(cursor, list);
    const { records, next } = await listCoupons(table, { prefix, limit: per_page, after });
    const coupons = records.filter(
      ({ coupon }) =>
        (active ?? coupon.active) === coupon.active &&
        (state === undefined || state === couponState(coupon, now)),
    );
    return {
      data: coupons.map(({ coupon, uses }) => adminCoupon(coupon, uses, now)),
      meta: { per_page, next_cursor: cursorOf(next, list) },
    };
  },
});

export const createCoupon = route({
  method: "POST",
  path: "/admin/coupons",
  summary: "Add a coupon",
  description: "Codes are compared in upper case and must be unique.",
  access: staff("orders.coupons"),
  request: { body: CouponInput.meta({ example }) },
  response: { status: 201, data: AdminCoupon },
  errors: ["already_exists"],
  idempotent: true,
  async handle(call, { table }: Deps) {
    const { body, now } = call;
    const id = newId("cpn", now);
    const updated_at = now.toISOString();
    const fresh: Coupon = { ...body, id, used: false, version: 1, updated_at };
    const creation = { route: "POST /admin/coupons", id, at: pathOf };
    return answerOnce(creation, call, table, async (bind) => {
      const answer = answerOf({ coupon: fresh, uses: 0 }, now);
      await storeCoupon(undefined, fresh, table, auditContextOf(call), bind(answer));
      return answer;
    });
  },
});

export const getCoupon = route({
  method: "GET",
  path: "/admin/coupons/{id}",
  summary: "Get a coupon",
  description: "With its present state and how often it has been used.",
  access: staff("orders.view"),
  request: { params: byId },
  response: { status: 200, data: AdminCoupon },
  first: ({ params }, { table }: Deps) => findCoupon(table, params.id),
  handle: async ({ first, now }) => answerOf(orNotFound(first), now),
});

export const replaceCoupon = route({
  method: "PUT",
  path: "/admin/coupons/{id}",
  summary: "Replace a coupon",
  description:
    "Applies to every checkout that starts afterwards. Refuses a new code once an order has " +
    "used the coupon.",
  access: staff("orders.coupons"),
  request: { params: byId, body: form.put.meta({ example }), headers: ifMatch },
  response: { status: 200, data: AdminCoupon },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: ({ params }, { table }: Deps) => findCoupon(table, params.id),
  handle: (call, { table }) =>
    editCoupon(call, table, call.headers["if-match"] ?? call.first?.coupon.version, form.replaced),
});

export const changeCoupon = route({
  method: "PATCH",
  path: "/admin/coupons/{id}",
  summary: "Update a coupon",
  description:
    "Applies to every checkout that starts afterwards. Refuses a new code once an order has " +
    "used the coupon.",
  access: staff("orders.coupons"),
  request: {
    params: byId,
    body: form.patch.meta({ example: { active: false } }),
    headers: ifMatch,
  },
  response: { status: 200, data: AdminCoupon },
  errors: ["already_exists", "in_use", "version_mismatch"],
  first: ({ params }, { table }: Deps) => findCoupon(table, params.id),
  handle: (call, { table }) => editCoupon(call, table, call.headers["if-match"], form.patched),
});

export const deleteCoupon = route({
  method: "DELETE",
  path: "/admin/coupons/{id}",
  summary: "Delete a coupon",
  description: "Refused once an order has used the coupon; switch it off instead.",
  access: staff("orders.coupons"),
  request: { params: byId, headers: ifMatch },
  response: { status: 204 },
  errors: ["in_use", "version_mismatch"],
  first: ({ params }, { table }: Deps) => findCoupon(table, params.id),
  async handle(call, { table }) {
    const readAgain = async () => (await findCoupon(table, call.params.id))?.coupon;
    await edit(call.first?.coupon, readAgain, call.headers["if-match"], (coupon) =>
      dropCoupon(coupon, table, auditContextOf(call)),
    );
  },
});

async function editCoupon(
  call: Pick<Call, "actor" | "requestId" | "now"> & {
    params: { id: string };
    body: object;
    first: CountedCoupon | undefined;
  },
  table: Deps["table"],
  expected: number | undefined,
  written: (sent: object, shown: object) => Partial<CouponInput>,
): Promise<Answer<AdminCoupon>> {
  const { now, first } = call;
  let uses = first?.uses ?? 0;
  const readAgain = async () => {
    const read = await findCoupon(table, call.params.id);
    uses = read?.uses ?? 0;
    return read?.coupon;
  };
  const coupon = await change(first?.coupon, readAgain, expected, {
    change: (before) => ({
      ...before,
      ...written(call.body, answerOf({ coupon: before, uses }, now).data),
      version: before.version + 1,
      updated_at: now.toISOString(),
    }),
    save: (before, after) => storeCoupon(before, after, table, auditContextOf(call)),
  });
  return answerOf({ coupon, uses }, now);
}

export const routes = [
  listAllCoupons,
  createCoupon,
  getCoupon,
  replaceCoupon,
  changeCoupon,
  deleteCoupon,
];
