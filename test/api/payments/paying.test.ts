import { describe, expect, test } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { clientOf } from "#test/support/http/client.ts";
import { onlineBuyers, storyOf } from "#test/support/shop/placed-orders.ts";
import { waitFor, waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, inbox } = await useShop({ effects: ["due-orders", "mail"] });

const { stripe, buy } = onlineBuyers(baseUrl, environment);

/** Polls often: on the local stack, webhooks arrive at once and scheduled functions run every second. */
const soon = { interval: 50 };

const paidOnce = {
  status: "confirmed",
  payment_status: "paid",
  transactions: [expect.stringMatching(/^charge succeeded/)],
  timeline: [
    { type: "placed" },
    { type: "pending_payment" },
    { type: "paid" },
    { type: "confirmed" },
  ],
};

describe("an order with gateway payment", () => {
  test("awaits its payment, and checkout returns the client secret", async () => {
    const { placed, read } = await buy();
    expect(placed.order).toMatchObject({ status: "pending_payment", payment_status: "pending" });
    expect(placed.payment).toMatchObject({
      method: "gateway",
      status: "pending",
      amount_due: placed.order.totals.grand_total,
      action: { publishable_key: emulatorKeys.publishableKey },
    });
    expect((await read()).rows.transactions).toMatchObject([{ type: "charge", state: "pending" }]);
  });

  test("has one payment even if the checkout and POST /checkout/{order}/confirm are repeated", async () => {
    const { id, secret, again, confirm } = await buy();
    const replies = [...(await Promise.all([again(), confirm(), confirm()])), await again()];
    for (const { body } of replies) {
      expect(body.data.payment.action).toMatchObject({ client_secret: secret });
    }
    const made = (await stripe.calls(id)).filter(({ call }) => call === "payment_intents.create");
    expect(made).toHaveLength(1);
  });

  test("is confirmed by POST /checkout/{order}/confirm without a webhook, even if the call is repeated", async () => {
    const { id, secret, confirm, read, holdWebhooks } = await buy();
    await holdWebhooks();
    await stripe.pay(secret);
    const first = await confirm();
    const second = await confirm();
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      order: { status: "confirmed", payment_status: "paid" },
      payment: { amount_due: 0, action: { type: "none" } },
    });
    expect(second.body).toEqual(first.body);
    expect(storyOf(await read())).toMatchObject(paidOnce);
    await stripe.letGo(id);
  });

  test("is confirmed by Stripe's webhook without POST /checkout/{order}/confirm", async () => {
    const { secret, read } = await buy();
    await stripe.pay(secret);
    await waitUntil(async () => expect(storyOf(await read())).toMatchObject(paidOnce), soon);
  });

  test("is confirmed by the scheduled check alone, without webhook and POST /checkout/{order}/confirm", async () => {
    const { id, secret, read, runScheduledCheck, holdWebhooks } = await buy();
    await holdWebhooks();
    await stripe.pay(secret);
    await runScheduledCheck();
    await waitFor(
      "due-orders",
      async () => expect(storyOf(await read())).toMatchObject(paidOnce),
      soon,
    );
    await stripe.letGo(id);
  });

  test("returns the reason of a declined payment and can be paid with another card", async () => {
    const { secret, confirm, read } = await buy();
    await stripe.pay(secret, "pm_card_chargeDeclinedInsufficientFunds");
    const declined = await confirm();
    expect(declined.body.data).toMatchObject({
      order: { status: "pending_payment", payment_status: "failed" },
      payment: { action: { client_secret: secret } },
    });
    expect(declined.body.data.order.timeline).toContainEqual(
      expect.objectContaining({
        type: "payment_failed",
        message: "Your payment failed. Please try again or choose another payment method.",
      }),
    );
    await stripe.pay(secret);
    // A webhook must update the order, because `confirm` asks the gateway at most every five seconds.
    await waitUntil(
      async () =>
        expect((await confirm()).body.data.order).toMatchObject({ payment_status: "paid" }),
      soon,
    );
    const { order, rows } = await read();
    expect(order).toMatchObject({ status: "confirmed", paid: order.totals.grand_total });
    expect(rows.transactions).toHaveLength(1);
    expect(rows.timeline).toContainEqual(
      expect.objectContaining({
        message: "The gateway declined the payment: Your card has insufficient funds.",
        public: false,
      }),
    );
  });

  test("can be placed while the gateway is unavailable, and gets its payment at POST /checkout/{order}/confirm", async () => {
    let about = "";
    const { placed, confirm, secret } = await buy({
      async before(text) {
        about = text;
        await stripe.fail({
          call: "payment_intents.create",
          about,
          fault: "server_error",
          times: 1000,
        });
      },
    });
    expect(secret).toBe("");
    expect(placed.payment).toMatchObject({ status: "pending", action: { type: "none" } });
    const away = await confirm();
    expect({ status: away.status, code: away.body.code }).toEqual({
      status: 503,
      code: "unavailable",
    });
    await stripe.heal(about);
    const { body } = await confirm();
    expect(body.data.payment.action).toMatchObject({ type: "stripe_payment_intent" });
  });

  test("can be paid by a guest with the mailed link, which gives access to no other order", async () => {
    const { id, placed, confirm, payBy } = await buy();
    const { text } = (await inbox.waitFor(String(placed.order.customer.email))).body;
    const token = new RegExp(`/orders/${id}#token=(\\S+)`).exec(text)?.[1] ?? "";
    const fromLetter = { "x-order-token": token };
    const other = await buy();
    expect((await other.confirm(fromLetter)).status).toBe(404);
    expect((await other.payBy("cod", fromLetter)).status).toBe(404);
    expect((await confirm({ "x-cart-token": token })).status).toBe(404);

    const { action } = (await payBy("gateway", fromLetter)).body.data.payment;
    if (action.type !== "stripe_payment_intent") throw new Error(action.type);
    await stripe.pay(action.client_secret);
    await waitUntil(async () => {
      const confirmed = await confirm(fromLetter);
      expect(confirmed.body.data).toMatchObject({ order: { id, status: "confirmed" } });
      expect(confirmed.text).not.toContain(token);
    }, soon);
  });

  test("returns 404 to callers without access to the order", async () => {
    const { id, placed, confirm, payBy } = await buy();
    const token = placed.order_access_token ?? "";
    expect((await confirm({ "x-order-token": token })).status).toBe(200);
    for (const headers of [{}, { "x-order-token": `${token}x` }, { "x-cart-token": token }]) {
      expect((await confirm(headers)).status).toBe(404);
      expect((await payBy("cod", headers)).status).toBe(404);
    }
    const { status } = await clientOf(baseUrl).post(`/checkout/${id}0/confirm`, {}, {});
    expect(status).toBe(404);
  });
});
