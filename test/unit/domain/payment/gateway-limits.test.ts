import { expect, test } from "vitest";
import type { GatewayPayment } from "#shared/domain/payment/gateway/gateway-payment.ts";
import { minimumCharge, tooSmallOnline } from "#shared/domain/pricing/payment-methods.ts";
import { reconcilePayment } from "#shared/domain/payment/gateway/reconcile-payment.ts";
import { amountToCharge } from "#shared/domain/payment/rounding.ts";
import { aDeposit, aMoneyContext, aRecord, after } from "#test/support/shop/order-record.ts";

test("an amount below the gateway's minimum cannot be paid online", () => {
  expect(tooSmallOnline(49, "INR")).toContain("₹0.50");
  expect(tooSmallOnline(50, "INR")).toBeNull();
  expect(tooSmallOnline(17_499, "HUF")).not.toBeNull();
  expect([minimumCharge("XXX"), tooSmallOnline(1, "XXX")]).toEqual([0, null]);
});

test("an order with single fils is charged in tens, which pays it and rounds its value", () => {
  const record = aRecord(
    { status: "pending_payment", currency: "KWD", payment_method: "gateway" },
    {},
    [{ line_total: 12_344 }],
  );
  const { order } = record;
  const amount = amountToCharge(order);
  expect(order.current! % 10).not.toBe(0);
  expect(amount % 10).toBe(0);
  const payment: GatewayPayment = {
    id: "pi_1",
    order_id: order.id,
    state: "succeeded",
    amount,
    received: amount,
    currency: "KWD",
    decline_reason: null,
    refunds: [],
    disputes: [],
  };
  const result = reconcilePayment(record, payment, aMoneyContext());
  if (result.kind !== "changed") throw new Error(result.kind);
  expect(after(record, result.change).order).toMatchObject({
    status: "confirmed",
    payment_status: "paid",
    current: amount,
    rounding: amount - (order.current ?? 0),
  });
});

test("a deposit in dinars is charged so that it is enough", () => {
  const deposit = aDeposit({ amount: 4_321 });
  const { order } = aRecord({ status: "pending_payment", currency: "KWD", deposit });
  expect(amountToCharge(order)).toBe(4_330);
});
