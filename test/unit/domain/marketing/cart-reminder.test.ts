import { describe, expect, test } from "vitest";
import type { StoredCart } from "#shared/domain/cart/cart.ts";
import { isAbandonedCart, reminderCheckAt } from "#shared/domain/marketing/cart-reminder.ts";
import { noon } from "#test/support/shop/commerce.ts";

const hours = (count: number) => new Date(noon.getTime() + count * 3_600_000);
const cart = {
  id: "cart_1",
  status: "active" as const,
  lines: [{} as StoredCart["lines"][number]],
  updated_at: noon.toISOString(),
  expires_at: hours(24 * 30).toISOString(),
};
const after24 = { hours: 24, now: hours(24) };

describe("an abandoned cart", () => {
  test("has lines, and was not changed for the hours in the settings", () => {
    expect(isAbandonedCart(cart, undefined, after24)).toBe(true);
    expect(isAbandonedCart(cart, undefined, { hours: 24, now: hours(23) })).toBe(false);
    expect(isAbandonedCart({ ...cart, lines: [] }, undefined, after24)).toBe(false);
    expect(isAbandonedCart({ ...cart, status: "converted" }, undefined, after24)).toBe(false);
    expect(
      isAbandonedCart({ ...cart, expires_at: hours(1).toISOString() }, undefined, after24),
    ).toBe(false);
  });

  test("causes one reminder, and none while the settings have 0 hours", () => {
    const reminded = { cart_id: cart.id, at: noon.toISOString() };
    expect(isAbandonedCart(cart, reminded, after24)).toBe(false);
    expect(isAbandonedCart(cart, { ...reminded, cart_id: "cart_0" }, after24)).toBe(true);
    expect(isAbandonedCart(cart, undefined, { hours: 0, now: hours(24) })).toBe(false);
  });

  test("is checked after the hours in the settings, rounded up to a quarter of an hour", () => {
    const at = new Date(noon.getTime() + 60_000).toISOString();
    expect(reminderCheckAt(at, 2)).toBe(hours(2.25).toISOString());
    expect(reminderCheckAt(noon.toISOString(), 2)).toBe(hours(2).toISOString());
  });
});
