import { expect, test } from "vitest";
import {
  checkCoupon,
  couponState,
  adminCoupon,
  newlyNamed,
} from "#shared/domain/pricing/admin-coupon.ts";
import { aCoupon, noon } from "#test/support/shop/commerce.ts";

const at = (ms: number) => new Date(noon.getTime() + ms).toISOString();
const nothing = { categories: { categories: [] }, product_ids: new Set<string>() };

test.each([
  ["active", {}],
  ["off", { active: false, ends_at: at(-1) }],
  ["scheduled", { starts_at: at(1) }],
  ["active", { starts_at: at(0), ends_at: at(1) }],
  ["expired", { ends_at: at(0) }],
] as const)("the state of a coupon is %s for %j", (state, overrides) => {
  expect(couponState(aCoupon(overrides), noon)).toBe(state);
});

test("a coupon reports `uses` only while it has `max_uses`", () => {
  expect(adminCoupon(aCoupon({ max_uses: null }), 3, noon).uses).toBe(null);
  expect(adminCoupon(aCoupon({ max_uses: 2 }), 3, noon).uses).toBe(3);
});

test("the time window of a coupon must end after it starts", () => {
  const none = { categories: [], product_ids: [] };
  const paths = (ends_at: string) =>
    checkCoupon(aCoupon({ starts_at: at(0), ends_at }), none, nothing).map(({ path }) => path);
  expect([paths(at(-1)), paths(at(0)), paths(at(1))]).toEqual([["ends_at"], ["ends_at"], []]);
});

test("a change of a coupon can add references to existing records only, and references to deleted records remain", () => {
  const before = aCoupon({ applies_to: { categories: ["gone"], product_ids: ["prd_gone"] } });
  const after = aCoupon({
    applies_to: { categories: ["gone", "new"], product_ids: ["prd_gone", "prd_new"] },
  });
  const named = newlyNamed(before, after);
  expect(named).toEqual({ categories: ["new"], product_ids: ["prd_new"] });
  const paths = checkCoupon(after, named, nothing).map(({ path }) => path);
  expect(paths).toEqual(["applies_to.categories.1", "applies_to.product_ids.1"]);
});
