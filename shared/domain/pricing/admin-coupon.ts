import * as z from "zod";
import type { Categories } from "../catalog/category.ts";
import { Coupon } from "./coupon.ts";
import { Id } from "../base/ids.ts";
import { type Problem, Slug } from "../base/names.ts";

/** `off` is a coupon that staff switched off. The other states follow from the dates. */
export const CouponState = z.enum(["scheduled", "active", "expired", "off"]);
export type CouponState = z.output<typeof CouponState>;

const chosen = Coupon.omit({ id: true, used: true, version: true, updated_at: true }).shape;

/** A complete coupon, as staff send it. */
export const CouponInput = z.strictObject({
  ...chosen,
  description: chosen.description.default(null),
  active: chosen.active.default(true),
  starts_at: chosen.starts_at.default(null).meta({
    description: "Start of validity; null if valid immediately",
  }),
  ends_at: chosen.ends_at.default(null).meta({
    description: "End of validity; null if it has no end",
  }),
  min_subtotal: chosen.min_subtotal
    .default(null)
    .meta({ description: "Minimum total of the lines that the coupon applies to" }),
  max_uses: chosen.max_uses.default(null).meta({
    description:
      "Maximum number of orders; null means no limit. Orders are counted only while a limit " +
      "is set. A changed limit keeps the count. At the limit, the coupon is used up.",
  }),
  max_uses_per_customer: chosen.max_uses_per_customer
    .default(null)
    .meta({ description: "Maximum number of orders per customer, counted like `max_uses`" }),
  first_order_only: chosen.first_order_only.default(false),
  login_required: chosen.login_required.default(false),
  applies_to: z
    .strictObject({
      categories: z
        .array(Slug)
        .max(200)
        .default([])
        .meta({ description: "Category slugs; subcategories are included" }),
      product_ids: z
        .array(z.union([Id("prd"), Id("sofa")]))
        .max(200)
        .default([])
        .meta({ description: "Ids of products and sofas" }),
    })
    .default({ categories: [], product_ids: [] })
    .meta({
      description:
        "A line matches by category or by product. If both are empty, every line matches",
    }),
});
export type CouponInput = z.output<typeof CouponInput>;

/** A coupon as staff see it. */
export const AdminCoupon = Coupon.extend({
  state: CouponState.meta({
    description: "Computed from `active` and the dates; ignores the limits",
  }),
  used: z.boolean().meta({
    description:
      "Whether any order, even a cancelled one, has used the coupon. A used coupon keeps its " +
      "code, and can be switched off but not deleted",
  }),
  uses: z.int().min(0).nullable().meta({
    description:
      "Orders that count against `max_uses`; null if that is null, because orders are then not counted",
  }),
}).meta({ id: "Coupon" });
export type AdminCoupon = z.output<typeof AdminCoupon>;

export function couponState(
  { active, starts_at, ends_at }: Pick<Coupon, "active" | "starts_at" | "ends_at">,
  now: Date,
): CouponState {
  if (!active) return "off";
  if (ends_at !== null && now.getTime() >= Date.parse(ends_at)) return "expired";
  return starts_at !== null && now.getTime() < Date.parse(starts_at) ? "scheduled" : "active";
}

/**
 * The coupon as staff see it.
 *
 * @param counted the number of orders in the coupon's counter
 */
export function adminCoupon(coupon: Coupon, counted: number, now: Date): AdminCoupon {
  return {
    ...coupon,
    state: couponState(coupon, now),
    uses: coupon.max_uses === null ? null : counted,
  };
}

/**
 * The categories and products that an edit adds to a coupon. Only these must exist: earlier ones may have been deleted.
 */
export function newlyNamed(
  before: Pick<Coupon, "applies_to"> | undefined,
  after: Pick<Coupon, "applies_to">,
): Coupon["applies_to"] {
  const { categories, product_ids } = before?.applies_to ?? { categories: [], product_ids: [] };
  return {
    categories: after.applies_to.categories.filter((slug) => !categories.includes(slug)),
    product_ids: after.applies_to.product_ids.filter((one) => !product_ids.includes(one)),
  };
}

/**
 * The problems that prevent storing a coupon.
 *
 * @param named the coupon's new references
 * @param known the categories and the ids of products that exist
 */
export function checkCoupon(
  { starts_at, ends_at, applies_to }: Pick<Coupon, "starts_at" | "ends_at" | "applies_to">,
  named: Coupon["applies_to"],
  known: { categories: Pick<Categories, "categories">; product_ids: ReadonlySet<string> },
): Problem[] {
  const slugs = new Set(known.categories.categories.map(({ slug }) => slug));
  const unknown = (member: "categories" | "product_ids", among: ReadonlySet<string>): Problem[] =>
    applies_to[member].flatMap((name, index) =>
      named[member].includes(name) && !among.has(name)
        ? {
            path: `applies_to.${member}.${index}`,
            message: `There is no ${member === "categories" ? "category with this slug" : "product or sofa with this id"}.`,
          }
        : [],
    );
  const backwards =
    starts_at !== null && ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at);
  return [
    ...(backwards
      ? [{ path: "ends_at", message: "The ends at field must be after the starts at field." }]
      : []),
    ...unknown("categories", slugs),
    ...unknown("product_ids", known.product_ids),
  ];
}
