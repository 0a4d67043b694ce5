import * as z from "zod";
import { Coupon } from "../domain/coupon.ts";
import type { BuyerKey } from "./buyers.ts";
import { absent, atLeast, below, either } from "./conditions.ts";
import { entity } from "./entity.ts";
import { type Write, update } from "./writes.ts";

export const Coupons = entity({
  name: "coupon",
  schema: Coupon,
  key: ({ code }: { code: string }) => ({ pk: `COUPON#${code}`, sk: "COUPON" }),
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

/** Takes a use off again, of an order that was counted. */
export function uncountUse(code: string, by: CouponUser): Write {
  return update(CouponUses, { code, by }, { add: { uses: -1 } }, atLeast("uses", 1));
}
