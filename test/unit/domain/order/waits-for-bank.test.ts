import { expect, test } from "vitest";
import { waitsForBank } from "#shared/domain/order/status/order-timers-after.ts";
import { noon } from "#test/support/shop/commerce.ts";

const days = (count: number) => new Date(noon.getTime() + count * 86_400_000);
const unpaid = { status: "pending_payment", expires_at: noon.toISOString() } as const;

test("an order whose payment the bank is processing waits for ten days from its expiry", () => {
  const waits = [-0.1, 0, 9.9, 10].map((count) => waitsForBank(unpaid, days(count)));
  expect(waits).toEqual([false, true, true, false]);
});

test("an order that awaits no payment, or that does not expire, does not wait for the bank", () => {
  expect(waitsForBank({ ...unpaid, status: "confirmed" }, days(1))).toBe(false);
  expect(waitsForBank({ ...unpaid, expires_at: null }, days(1))).toBe(false);
});
