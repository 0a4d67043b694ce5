import { describe, expect, test } from "vitest";
import { nextCheckAfter } from "#shared/domain/order/status/order-timers-after.ts";
import { nextCheckAt } from "#shared/domain/order/status/order-timers.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { noon } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";
import { aSlot } from "#test/support/shop/settings.ts";

const minutes = (after: number) => new Date(noon.getTime() + after * 60_000);
const iso = (after: number) => minutes(after).toISOString();
const day = 24 * 60;

describe("an order that awaits payment", () => {
  const online = aPlacedOrder({ payment_method: "gateway" });

  test("is checked every five minutes for a gateway payment, and when it expires", () => {
    expect(nextCheckAt(online, noon)).toBe(iso(5));
    expect(nextCheckAt(online, minutes(5))).toBe(iso(10));
    expect(nextCheckAt(online, minutes(28))).toBe(iso(30));
  });

  test("is checked only when it expires, if its payment method is bank transfer", () => {
    expect(nextCheckAt(aPlacedOrder(), noon)).toBe(iso(24 * 60));
  });

  test("is checked when it loses its slot, also after a partial payment has stopped its expiry", () => {
    const slot = { ...aSlot(), confirm_by: iso(60), has_left: false };
    const transfer = { ...aPlacedOrder(), slot };
    expect(nextCheckAt(transfer, noon)).toBe(iso(60));
    expect(nextCheckAt({ ...transfer, expires_at: null }, noon)).toBe(iso(60));
    expect(nextCheckAt({ ...transfer, expires_at: iso(30) }, noon)).toBe(iso(30));
    expect(nextCheckAt({ ...online, slot: { ...slot, confirm_by: iso(3) } }, noon)).toBe(iso(3));
  });

  test("is never checked if it does not expire", () => {
    expect(nextCheckAt(aPlacedOrder({ payment_method: "cod" }), noon)).toBeNull();
    expect(nextCheckAt({ ...online, expires_at: null }, noon)).toBeNull();
  });
});

describe("an order after a scheduled check", () => {
  const open = openedCharge({ id: "pi_1", amount: 100 }, noon.toISOString());
  const look = (
    order: Partial<StoredOrder>,
    { transactions = [open], now = noon, days = null as number | null } = {},
  ) =>
    nextCheckAfter(
      {
        order: { ...aPlacedOrder({ payment_method: "gateway" }), ...order },
        rows: { timeline: [], transactions, shipments: [], changes: [], returns: [] },
      },
      days,
      now,
    );

  test("is checked hourly for a week while the gateway has an open payment or refund", () => {
    expect(look({ status: "expired" })).toBe(iso(60));
    expect(look({ status: "expired" }, { now: minutes(7 * day) })).toBeNull();
    const refund = { ...open, id: "txn_2", type: "refund" as const };
    const paid = { ...open, state: "succeeded" as const };
    expect(look({ status: "cancelled" }, { transactions: [paid, refund] })).toBe(iso(60));
    expect(look({ status: "confirmed" }, { transactions: [paid] })).toBeNull();
  });

  test("is completed some days after its delivery", () => {
    const delivered = { status: "delivered" as const, delivered_at: noon.toISOString() };
    expect(look(delivered, { transactions: [], days: 7 })).toBe(iso(7 * day));
    // A refund that is pending at the gateway is checked before the completion.
    expect(look(delivered, { days: 7 })).toBe(iso(60));
    expect(look(delivered, { days: 0 })).toBe(iso(0));
  });
});
