import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { changed, type OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderItem, OrderRecord, StoredOrder } from "#shared/domain/order/order.ts";
import type { PaymentMethod } from "#shared/domain/settings/settings.ts";
import { aZone, anId, noon, somePayments, someShipping } from "#test/support/shop/commerce.ts";
import { aPlacedOrder } from "#test/support/shop/placed-orders.ts";

const settings = { payments: somePayments(), shipping: someShipping([aZone()]) };
const afterMinutes = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

const recordOf = (order: StoredOrder): OrderRecord => ({
  order,
  rows: { timeline: [], transactions: [], shipments: [], changes: [], returns: [] },
});

interface ChangeOptions extends Partial<typeof settings> {
  minutes?: number;
  gatewayReady?: boolean;
}

const change = (
  order: StoredOrder,
  to: PaymentMethod,
  { minutes = 10, gatewayReady = true, ...overrides }: ChangeOptions = {},
) =>
  changePaymentMethod(recordOf(order), to, {
    settings: { ...settings, ...overrides },
    gatewayReady,
    now: afterMinutes(minutes),
  });

function after(order: StoredOrder, to: PaymentMethod): OrderChange {
  const outcome = change(order, to);
  if (outcome.kind !== "changed") throw new Error(outcome.kind);
  return outcome.change;
}

describe("a change of the payment method", () => {
  test.each([
    ["a guest's", null, 24],
    ["a customer's", anId("cus"), 72],
  ])(
    "to bank transfer gives the order the expiry time of %s bank transfer order",
    (_whose, id, hours) => {
      const placed = aPlacedOrder({ payment_method: "gateway" });
      const customer = { ...placed.customer, id };
      const { order, checksAt, entries, events } = after({ ...placed, customer }, "bank_transfer");
      expect(events).toMatchObject([{ type: "order_payment_changed", method: "bank_transfer" }]);
      const latest = afterMinutes(hours * 60).toISOString();
      expect(order).toMatchObject({
        status: "pending_payment",
        payment_method: "bank_transfer",
        payment_status: "awaiting_transfer",
        expires_at: latest,
      });
      expect(checksAt).toEqual([latest]);
      expect(entries).toMatchObject([{ type: "payment_method_changed", public: true }]);
    },
  );

  test("to the gateway expires the order half an hour later and checks the payment every five minutes", () => {
    const { order, checksAt, events } = after(aPlacedOrder(), "gateway");
    expect(events).toEqual([]);
    expect(order.expires_at).toBe(afterMinutes(40).toISOString());
    expect(checksAt).toEqual([afterMinutes(15).toISOString()]);
  });

  test("to cash on delivery confirms the order", () => {
    const { order, checksAt } = after(aPlacedOrder(), "cod");
    expect(order).toMatchObject({
      status: "confirmed",
      payment_status: "cod_pending",
      expires_at: null,
    });
    expect(checksAt).toEqual([]);
  });

  test("to the same method has no effect, but extends the expiry of an order with gateway payment", () => {
    expect(change(aPlacedOrder(), "bank_transfer")).toEqual({ kind: "same" });
    const { order, entries } = after(aPlacedOrder({ payment_method: "gateway" }), "gateway");
    expect(order.expires_at).toBe(afterMinutes(40).toISOString());
    expect(entries).toEqual([]);
  });

  test("does not set an expiry if the order is partly paid", () => {
    const part = { ...aPlacedOrder(), paid: 1, expires_at: null };
    expect(after(part, "gateway").order.expires_at).toBeNull();
  });
});

describe("a change of the payment method is refused", () => {
  const itemsWith = (overrides: Partial<OrderItem>): StoredOrder => {
    const order = aPlacedOrder();
    return { ...order, items: order.items.map((item) => ({ ...item, ...overrides })) };
  };
  const made = itemsWith({ made_to_order: true });
  const excluded = itemsWith({ cod_eligible: false });
  const off = { ...settings.payments.bank_transfer, enabled: false };

  test.each<[string, StoredOrder, PaymentMethod, ChangeOptions]>([
    ["to cash on delivery for a made-to-order line", made, "cod", {}],
    ["to cash on delivery for an excluded product", excluded, "cod", {}],
    [
      "to cash on delivery in a zone without it",
      aPlacedOrder(),
      "cod",
      { shipping: someShipping([aZone({ cod: false })]) },
    ],
    [
      "to cash on delivery where no zone delivers",
      aPlacedOrder(),
      "cod",
      { shipping: someShipping([]) },
    ],
    [
      "to cash on delivery above its limit",
      aPlacedOrder(),
      "cod",
      { payments: somePayments({ cod: { ...settings.payments.cod, max_amount: 1 } }) },
    ],
    ["to a gateway without keys", aPlacedOrder(), "gateway", { gatewayReady: false }],
    [
      "to a disabled bank transfer",
      aPlacedOrder({ payment_method: "gateway" }),
      "bank_transfer",
      { payments: somePayments({ bank_transfer: off }) },
    ],
  ])("%s", (_what, order, to, options) => {
    expect(change(order, to, options)).toMatchObject({
      kind: "not_offered",
      message: expect.any(String),
    });
  });

  test("to the gateway after ten gateway payments, because each of them must be checked", () => {
    const switched = (attempts: number, from: PaymentMethod) =>
      changePaymentMethod(
        {
          order: aPlacedOrder({ payment_method: from }),
          rows: {
            timeline: [],
            shipments: [],
            changes: [],
            returns: [],
            transactions: Array.from({ length: attempts }, (_, index) =>
              openedCharge({ id: `pi_${index}`, amount: 1 }, noon.toISOString()),
            ),
          },
        },
        "gateway",
        { settings, gatewayReady: true, now: afterMinutes(10) },
      ).kind;
    expect(switched(9, "bank_transfer")).toBe("changed");
    expect(switched(10, "bank_transfer")).toBe("not_offered");
    expect(switched(10, "gateway")).toBe("changed");
  });

  test("if the order awaits no payment or has expired", () => {
    const cod = aPlacedOrder({ payment_method: "cod" });
    expect(change(cod, "cod")).toEqual({ kind: "same" });
    expect(change(cod, "gateway")).toMatchObject({ kind: "refused" });
    const expired: StoredOrder = { ...aPlacedOrder(), status: "expired" };
    expect(change(expired, "bank_transfer")).toMatchObject({ kind: "refused" });
    expect(change(aPlacedOrder(), "gateway", { minutes: 73 * 60 })).toMatchObject({
      kind: "refused",
    });
  });

  test.each<[Partial<StoredOrder>, string]>([
    [{ status: "confirmed", payment_status: "paid", current: 0 }, "This order is already paid."],
    [{ status: "shipped", payment_status: "overpaid", current: 0 }, "This order is already paid."],
    [
      { status: "confirmed", payment_method: "cod", payment_status: "cod_pending" },
      "This order is paid on delivery.",
    ],
    [{ status: "expired" }, "The payment deadline of this order has passed."],
    [{ status: "cancelled", payment_status: "refunded" }, "This order is cancelled"],
    [{ status: "returned", payment_status: "refunded" }, "This order has nothing to pay online"],
  ])("with a message for the buyer if the order is %j", (overrides, words) => {
    expect(change({ ...aPlacedOrder(), ...overrides }, "gateway")).toEqual({
      kind: "refused",
      message: expect.stringContaining(words),
    });
  });
});

test("repeated changes of the payment method never extend the expiry beyond that of the slowest method", () => {
  const step = fc.record({
    to: fc.constantFrom("gateway" as const, "bank_transfer" as const),
    minutes: fc.integer({ min: 0, max: 600 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let record = recordOf(aPlacedOrder({ payment_method: "gateway" }));
      let minutes = 0;
      for (const { to, minutes: later } of steps) {
        minutes += later;
        const outcome = change(record.order, to, { minutes });
        if (outcome.kind === "changed") record = changed(record, outcome.change);
        expect(
          record.order.expires_at?.localeCompare(afterMinutes(24 * 60).toISOString()),
        ).not.toBe(1);
      }
    }),
  );
});
