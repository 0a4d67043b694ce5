import * as z from "zod";
import { Coupon, couponReferences } from "../../domain/pricing/coupon.ts";
import type { BuyerKey } from "../order/buyers.ts";
import { absent, atLeast, below, either, is } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

/** The partition of the index that lists all coupons by code. */
export const couponList = "COUPONS";

export const Coupons = entity({
  name: "coupon",
  notExported: "internal",
  schema: Coupon,
  refers: {
    to: ["product", "sofa", "category", "collection", "room", "style"],
    references: couponReferences,
    list: { index: "gsi1", partition: couponList },
    label: ({ code }) => code,
  },
  key: ({ code }: { code: string }) => ({ pk: `COUPON#${code}`, sk: "COUPON" }),
  indexes: { gsi1: ({ code }) => ({ pk: couponList, sk: code }) },
});

/** The scope of a use count: all buyers together, or one buyer. */
export type CouponUser = "all" | BuyerKey;

/** The number of orders that used a coupon. */
export const CouponUses = entity({
  name: "coupon_uses",
  notExported: "derived",
  schema: z.object({ uses: z.int().min(0) }),
  key: ({ code, by }: { code: string; by: CouponUser }) => ({
    pk: `COUPON#${code}`,
    sk: by === "all" ? "USES" : `USES#${by}`,
  }),
  patterns: {
    table: [
      ["COUPON#<code>", "USES"],
      ["COUPON#<code>", "USES#<kind of buyer>#<buyer>"],
    ],
  },
});

/** Counts one more use, if there are fewer than `limit`. */
export function countUse(code: string, by: CouponUser, limit: number): Write {
  return update(
    CouponUses,
    { code, by },
    { add: { uses: 1 }, set: { entity: CouponUses.name } },
    either(absent("uses"), below("uses", limit)),
  );
}

/** Adjusts the number of uses regardless of the limit, because an expired order that is paid late keeps its price. */
export function shiftUses(code: string, by: CouponUser, shift: number): Write {
  return update(
    CouponUses,
    { code, by },
    { add: { uses: shift }, set: { entity: CouponUses.name } },
    shift < 0 ? atLeast("uses", -shift) : undefined,
  );
}

/**
 * Marks a coupon as used by its first order, which fixes its code. Later orders do not write to the coupon. The write
 * is refused if the code no longer belongs to this coupon.
 */
export function markUsed({ id, code }: Pick<Coupon, "id" | "code">): Write {
  return update(Coupons, { code }, { set: { used: true }, add: { version: 1 } }, is("id", id));
}
