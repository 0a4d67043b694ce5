import { describe, expect, test } from "vitest";
import type { TimelineEntry } from "#shared/domain/order/order.ts";
import { orderForTracking } from "#shared/domain/order/view/order-view.ts";
import { noon, someSettings } from "#test/support/shop/commerce.ts";
import { aRecord } from "#test/support/shop/order-record.ts";

const entry = ([type, message]: readonly [string, string]): TimelineEntry => ({
  at: noon.toISOString(),
  type,
  message,
  public: true,
});

/** Every public timeline entry about money, with its stored text. */
const aboutMoney = [
  ["pending_payment", "We are waiting for your payment."],
  ["payment_failed", "Your payment failed. Please try again or choose another payment method."],
  [
    "payment_method_changed",
    "You have chosen another payment method. You pay when you receive it.",
  ],
  ["paid", "We have received your payment."],
  ["part_paid", "We have received part of your payment."],
  ["late_payment", "Your payment arrived too late for this order. We will refund it."],
  ["refund_started", "We are refunding you."],
  ["refunded", "We have refunded you."],
  ["refund_failed", "A refund failed. We will contact you about it."],
  ["something_new_about_money", "The bank refused the payment."],
] as const;

const mixed = [
  ["confirmed", "Your order is confirmed. You pay when you receive it."],
  ["cancelled", "We have cancelled the order. We will refund what you have paid."],
  ["expired", "The order has expired because no payment arrived. Its items are available again."],
] as const;

const steps = [
  ["placed", "We have received your order."],
  ["in_production", "We have begun to make your order."],
  ["shipped", "Your order is on its way with Delhivery."],
  ["delivered", "Your order has arrived."],
] as const;

describe("the timeline that tracking returns without the order's email", () => {
  const record = aRecord({}, { timeline: [...steps, ...mixed, ...aboutMoney].map(entry) });
  const open = orderForTracking(record, null);

  test("contains each fulfilment entry as it was stored", () => {
    expect(open.timeline).toEqual(
      expect.arrayContaining(
        steps.map(([type, message]) => ({ at: noon.toISOString(), type, message })),
      ),
    );
  });

  test("contains no entry or text about payment", () => {
    const types = [...steps, ...mixed].map(([type]) => type);
    expect(open.timeline.map(({ type }) => type)).toEqual(types);
    const text = JSON.stringify(open.timeline);
    expect(text).not.toMatch(/pa(?:y|id)|money|refund|bank|transfer|get (?:it )?back/i);
  });

  test("is also returned with another email; only the order's email returns the whole timeline", () => {
    const { order, rows } = record;
    const context = { settings: someSettings(), now: noon };
    const seenBy = (email: string) => orderForTracking(record, { email, ...context }).timeline;
    const whole = rows.timeline.map(({ at, type, message }) => ({ at, type, message }));
    expect(seenBy(String(order.customer.email))).toEqual(whole);
    expect(seenBy("other@example.com")).toEqual(open.timeline);
  });
});
