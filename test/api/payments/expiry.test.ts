import { describe, expect, test } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { openedCharge } from "#shared/domain/payment/gateway/opened-charge.ts";
import { DueOrders } from "#shared/storage/order/due-orders.ts";
import { OrderTransactions } from "#shared/storage/order/orders.ts";
import { shiftUses } from "#shared/storage/pricing/coupons.ts";
import { put } from "#shared/storage/writes.ts";
import { type Booked, aKey } from "#test/support/back-office/orders.ts";
import { type Buyer, onlineBuyers, storyOf } from "#test/support/shop/placed-orders.ts";
import { waitFor, waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, staffAs } = await useShop({ effects: ["due-orders"] });

const { stripe, buy, table } = onlineBuyers(baseUrl, environment);

/** Polls often: on the local stack, webhooks arrive at once and scheduled functions run every second. */
const soon = { interval: 50 };

const orderOf = (buyer: Buyer, expected: Record<string, unknown>) => async () =>
  expect((await buyer.read()).order).toMatchObject(expected);
const becomesByWebhook = (buyer: Buyer, expected: Record<string, unknown>) =>
  waitUntil(orderOf(buyer, expected), soon);
const becomesBySchedule = (buyer: Buyer, expected: Record<string, unknown>) =>
  waitFor("due-orders", orderOf(buyer, expected), soon);

/** For this long, a payment that the bank is processing keeps its order from expiring. */
const tenDays = 10 * 86_400_000;

/** Lets the order expire while the bank is still processing the payment. */
async function expiredTooEarly(buyer: Buyer): Promise<void> {
  await stripe.pay(buyer.secret, "pm_usBankAccount_processing");
  await buyer.expireOrder(tenDays);
  await becomesBySchedule(buyer, { status: "expired" });
}

describe("an unpaid order at its payment deadline", () => {
  test.each(["gateway", "bank_transfer"])(
    "expires and releases its stock and coupon use if its payment method is %s",
    async (by) => {
      const buyer = await buy({ payment_method: by });
      expect((await buyer.product.stock()).reserved).toBe(2);
      expect(await buyer.couponUses()).toBe(1);
      await buyer.expireOrder();
      await becomesBySchedule(buyer, { status: "expired" });
      expect(await buyer.product.stock()).toMatchObject({ reserved: 0, available: 10 });
      expect(await buyer.couponUses()).toBe(0);
      if (by === "gateway") expect((await stripe.pay(buyer.secret)).status).toBe(400);
      const { body } = await buyer.payBy("cod");
      expect(body).toMatchObject({ code: "invalid_transition", details: { from: "expired" } });
    },
  );

  test("waits while the bank is processing its payment, and is checked again in an hour", async () => {
    const buyer = await buy();
    await stripe.pay(buyer.secret, "pm_usBankAccount_processing");
    const before = Date.now();
    await buyer.expireOrder();
    const after = (minutes: number) => new Date(before + minutes * 60_000).toISOString();
    const next = await waitFor("due-orders", async () => {
      const between = [after(45), after(90)] as const;
      const { records } = await table.page(DueOrders, { partition: "DUE", between });
      const check = records.find(({ order_id }) => order_id === buyer.id);
      if (!check) throw new Error("The order is not checked again");
      return check.at;
    });
    expect(Date.parse(next) - before).toBeGreaterThanOrEqual(3_600_000);
    expect((await buyer.read()).order.status).toBe("pending_payment");
    await stripe.completePayment(buyer.paymentId, "succeeded");
    await becomesByWebhook(buyer, { status: "confirmed", payment_status: "paid", attention: [] });
  });

  test("is confirmed instead if its payment has succeeded, even if no webhook arrived", async () => {
    const buyer = await buy();
    await buyer.holdWebhooks();
    await stripe.pay(buyer.secret);
    await buyer.expireOrder();
    await becomesBySchedule(buyer, { status: "confirmed", payment_status: "paid" });
    await stripe.letGo(buyer.id);
  });
});

describe("a payment that arrives after the order expired", () => {
  test("confirms the order if the stock is available, and reserves stock and coupon use again", async () => {
    const buyer = await buy();
    await expiredTooEarly(buyer);
    await stripe.completePayment(buyer.paymentId, "succeeded");
    await becomesByWebhook(buyer, {
      status: "confirmed",
      payment_status: "paid",
      attention: [{ code: "late_payment" }],
    });
    expect(await buyer.product.stock()).toMatchObject({ reserved: 2, available: 8 });
    expect(await buyer.couponUses()).toBe(1);
  });

  test("says so if its coupon has been used up meanwhile, and keeps the price", async () => {
    const buyer = await buy({ coupon: { max_uses: 1 } });
    await expiredTooEarly(buyer);
    await table.write(shiftUses(buyer.placed.order.coupon_code ?? "", "all", 1));
    await stripe.completePayment(buyer.paymentId, "succeeded");
    await becomesByWebhook(buyer, {
      status: "confirmed",
      payment_status: "paid",
      attention: [
        {
          code: "late_payment",
          message:
            "The payment arrived after the order had expired. Its stock was reserved again. " +
            "Its coupon was used beyond its limit.",
        },
      ],
    });
    expect(await buyer.couponUses()).toBe(2);
    expect(await buyer.product.stock()).toMatchObject({ reserved: 2, available: 8 });
  });

  test("uses the coupon again if staff record it", async () => {
    const buyer = await buy({ payment_method: "bank_transfer" });
    await buyer.expireOrder();
    await becomesBySchedule(buyer, { status: "expired" });
    const staff = await staffAs("order_desk");
    const { id, totals } = buyer.placed.order;
    const transfer = { amount: totals.grand_total, tender: "bank_transfer", reference: id };
    const reply = await staff.post<Booked>(`/admin/orders/${id}/payments`, transfer, aKey());
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    expect(reply.body.data.order.status).toBe("confirmed");
    expect(await buyer.couponUses()).toBe(1);
  });

  test("is refunded automatically if the stock is gone, and the order is flagged", async () => {
    const buyer = await buy({ units: 2 });
    await expiredTooEarly(buyer);
    const other = await buy({ product: buyer.product, payment_method: "cod" });
    expect(other.placed.order.status).toBe("confirmed");
    await stripe.completePayment(buyer.paymentId, "succeeded");
    await becomesBySchedule(buyer, {
      status: "expired",
      payment_status: "refunded",
      refunded: buyer.placed.order.totals.grand_total,
      attention: [{ code: "late_payment" }],
    });
    const refunds = (await stripe.calls(buyer.paymentId)).filter(
      ({ call }) => call === "refunds.create",
    );
    expect(refunds).toHaveLength(1);
    expect(await buyer.product.stock()).toMatchObject({ reserved: 2, available: 0 });
    expect(await buyer.couponUses()).toBe(0);
  });
});

describe("a payment that does not match its order", () => {
  const byHand = async (orderId: string, amount: number, currency: string) => {
    const answer = await fetch(`${environment.STRIPE_API_URL}/v1/payment_intents`, {
      method: "POST",
      headers: { authorization: `Bearer ${emulatorKeys.secretKey}` },
      body: new URLSearchParams({
        amount: String(amount),
        currency,
        "metadata[order_id]": orderId,
      }),
    });
    return (await answer.json()) as { id: string; client_secret: string };
  };

  /** Pays with a Stripe payment of the order that the service did not create. */
  async function payForeign({ id, placed }: Buyer, less: number, currency: string): Promise<void> {
    const total = placed.order.totals.grand_total;
    const foreign = await byHand(id, total + less, currency);
    const row = openedCharge({ id: foreign.id, amount: total }, new Date().toISOString());
    await table.write(put(OrderTransactions, { ...row, order_id: id }));
    await stripe.pay(foreign.client_secret);
  }

  test("flags the order when the checkout is repeated, even if no webhook arrived", async () => {
    const buyer = await buy();
    await buyer.holdWebhooks();
    await payForeign(buyer, -100, "inr");
    await buyer.again();
    expect((await buyer.read()).order.attention).toMatchObject([{ code: "payment_mismatch" }]);
    await stripe.letGo(buyer.id);
  });

  test.each([
    ["amount", -100, "inr"],
    ["currency", 0, "usd"],
  ])(
    "does not confirm the order but flags it once if its %s differs",
    async (_what, less, currency) => {
      const buyer = await buy();
      await payForeign(buyer, less, currency);
      await becomesByWebhook(buyer, { attention: [{ code: "payment_mismatch" }] });

      for (const { status, body } of [await buyer.confirm(), await buyer.confirm()]) {
        expect({ status, code: body.code }).toEqual({ status: 409, code: "payment_mismatch" });
      }
      expect(storyOf(await buyer.read())).toMatchObject({
        status: "pending_payment",
        paid: 0,
        attention: ["payment_mismatch"],
      });
    },
  );
});
