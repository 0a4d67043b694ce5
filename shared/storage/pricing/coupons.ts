import * as z from "zod";
import { Coupon } from "../../domain/pricing/coupon.ts";
import type { BuyerKey } from "../order/buyers.ts";
import { absent, atLeast, below, either, is } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type Write, update } from "../writes.ts";

/** Every coupon's place in the list, by code. */
export const couponList = "COUPONS";

export const Coupons = entity({
  name: "coupon",
  schema: Coupon,
  key: ({ code }: { code: string }) => ({ pk: `COUPON#${code}`, sk: "COUPON" }),
  indexes: { gsi1: ({ code }) => ({ pk: couponList, sk: code }) },
});

/** Whose uses of a coupon are counted: those of all together, or of one buyer. */
export type CouponUser = "all" | BuyerKey;

/** How many orders have used a coupon. */
export const CouponUses = entity({
  name: "coupon_uses",
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

/** Takes a use off again, or puts it back whatever the limit says: the order had its price before. */
export function shiftUses(code: string, by: CouponUser, shift: number): Write {
  return update(
    CouponUses,
    { code, by },
    { add: { uses: shift }, set: { entity: CouponUses.name } },
    shift < 0 ? atLeast("uses", -shift) : undefined,
  );
}

/**
 * Marks a coupon as used, with its first order; from then on it keeps its code. Later orders write nothing here.
 * Refused when there is no such coupon under the code any more.
 */
export function markUsed({ id, code }: Pick<Coupon, "id" | "code">): Write {
  return update(Coupons, { code }, { set: { used: true }, add: { version: 1 } }, is("id", id));
}
