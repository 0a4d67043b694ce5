import type { Shop } from "#shared/application/shop.ts";
import type * as z from "zod";
import type { Coupon } from "#shared/domain/pricing/coupon.ts";
import {
  CouponInput,
  CouponState,
  AdminCoupon,
  couponState,
  adminCoupon,
} from "#shared/domain/pricing/admin-coupon.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { recordRoutes } from "#functions/record-routes.ts";
import { isUnchanged } from "#shared/application/edit.ts";
import type { RecordStore } from "#shared/application/record-store.ts";
import { listRoute } from "#functions/list-route.ts";
import { CursorPage } from "#shared/http/paging.ts";
import { flag } from "#shared/http/query.ts";
import { staff } from "#shared/http/route.ts";
import { type CountedCoupon, findCoupon } from "#shared/storage/pricing/coupon-edits.ts";
import { CouponUses, Coupons, couponList } from "#shared/storage/pricing/coupons.ts";
import { at } from "#shared/storage/reads.ts";
import { dropCoupon, storeCoupon } from "#shared/application/pricing/save-coupon.ts";
import { MachineText, withoutSpaces } from "#shared/domain/base/machine-text.ts";

const path = "/admin/coupons";
const example: z.input<typeof CouponInput> = {
  code: "DIWALI15",
  description: "Fifteen per cent off rugs",
  benefit: { kind: "percent", bps: 1_500, cap: 500_000 },
  starts_at: "2026-11-01T00:00:00+05:30",
  ends_at: "2026-11-16T00:00:00+05:30",
  max_uses: 500,
  applies_to: { categories: ["rugs"] },
};

const list = listRoute({
  path,
  summary: "List coupons, sorted by code",
  description: "With `active` or `state`, pages may be shorter than `per_page`.",
  access: staff("orders.view"),
  query: CursorPage.extend({
    q: MachineText(32)
      .overwrite(withoutSpaces)
      .toUpperCase()
      .min(1)
      .optional()
      .meta({ description: "Beginning of the code", example: "DIWALI" }),
    active: flag.optional().meta({ description: "Whether the coupon is switched on" }),
    state: CouponState.optional(),
  }),
  row: AdminCoupon,
  list({ query: { q: prefix, active, state }, now }, { table }: Shop<"table">) {
    const range = { index: "gsi1", partition: couponList, prefix } as const;
    const matches = (coupon: Coupon) =>
      (active ?? coupon.active) === coupon.active &&
      (state === undefined || state === couponState(coupon, now));
    return { range, page: (at) => table.page(Coupons, range, { ...at, matches }) };
  },
  async shown(coupons, { now }, { table }) {
    const { uses } = await table.getMany({
      uses: coupons.map(({ code }) => at(CouponUses, { code, by: "all" })),
    });
    return coupons.map((coupon, place) => adminCoupon(coupon, uses[place]?.uses ?? 0, now));
  },
});

const changing =
  "Applies to every checkout that starts afterwards. Returns 409 if `code` changes and an order " +
  "has used the coupon.";

const store: RecordStore<Shop<"table">, CouponInput, CountedCoupon> = {
  newId: (_input, now) => newId("cpn", now),
  read: (id, { table }) => findCoupon(table, id),
  async create(input, { id, audit, deps, bind }) {
    const updated_at = audit.now.toISOString();
    const coupon: Coupon = { ...input, id, used: false, version: 1, updated_at };
    const created = { coupon, uses: 0 };
    await storeCoupon(undefined, coupon, { ...deps, audit, further: await bind(created) });
    return created;
  },
  async update(before, change, { audit, deps }) {
    const coupon = {
      ...before.coupon,
      ...change,
      version: before.coupon.version + 1,
      updated_at: audit.now.toISOString(),
    };
    if (isUnchanged(before.coupon, coupon)) return before;
    await storeCoupon(before.coupon, coupon, { ...deps, audit });
    return { ...before, coupon };
  },
  remove: ({ coupon }, { audit, deps }) => dropCoupon(coupon, deps.table, audit),
};

export const routes = [
  list,
  ...recordRoutes({
    path,
    one: "a coupon",
    permissions: { view: "orders.view", edit: "orders.coupons" },
    record: AdminCoupon,
    input: CouponInput,
    examples: { record: example, patch: { active: false } },
    descriptions: {
      create: "Codes are not case-sensitive and must be unique.",
      get: "Includes the coupon's current `state` and `uses`.",
      replace: changing,
      change: changing,
      remove: "Returns 409 if an order has used the coupon; switch it off instead.",
    },
    errors: {
      create: ["already_exists"],
      edit: ["already_exists", "in_use"],
      remove: ["in_use"],
    },
    store,
    shown: ({ coupon, uses }, now) => adminCoupon(coupon, uses, now),
  }),
];
