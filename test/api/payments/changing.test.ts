import { describe, expect, test } from "vitest";
import { onlineBuyers } from "#test/support/shop/placed-orders.ts";
import { plantProduct } from "#test/support/shop/plant.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment, inbox } = await useShop({ effects: ["mail"] });

const { stripe, buy, table } = onlineBuyers(baseUrl, environment);

const minutes = (from: string, to: string | null) =>
  (Date.parse(to ?? "") - Date.parse(from)) / 60_000;

describe("a change of the payment method", () => {
  test("from gateway to bank transfer cancels the open gateway payment and extends the expiry", async () => {
    const { id, placed, secret, paymentId, payBy } = await buy();
    const { status, body } = await payBy("bank_transfer");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      order: {
        status: "pending_payment",
        payment_method: "bank_transfer",
        payment_status: "awaiting_transfer",
      },
      payment: { action: { type: "bank_details", reference: placed.order.number } },
    });
    const { placed_at, expires_at } = body.data.order;
    expect(minutes(placed_at, expires_at)).toBeCloseTo(24 * 60, 0);
    expect((await stripe.calls(paymentId)).map(({ call }) => call)).toContain(
      "payment_intents.cancel",
    );
    expect((await stripe.pay(secret)).status).toBe(400);

    const repeated = await payBy("bank_transfer");
    expect(repeated.body).toEqual(body);
    const mail = await inbox.waitFor(String(placed.order.customer.email), ({ subject }) =>
      subject.startsWith("How to pay"),
    );
    expect(mail.body.text).toContain(`Reference: ${placed.order.number}`);
    expect(mail.body.text).toContain("Account number: ");
    const back = await payBy("gateway");
    const { action } = back.body.data.payment;
    expect(action).toMatchObject({ type: "stripe_payment_intent" });
    expect(action).not.toMatchObject({ client_secret: secret });
    expect(minutes(placed_at, back.body.data.order.expires_at)).toBeLessThan(32);
    expect((await stripe.calls(id)).filter(({ call }) => call.endsWith("create"))).toHaveLength(2);
  });

  test("to cash on delivery confirms the order, within the limits that apply at checkout", async () => {
    const { product, payBy, confirm } = await buy();
    const { body } = await payBy("cod");
    expect(body.data).toMatchObject({
      order: {
        status: "confirmed",
        payment_method: "cod",
        payment_status: "cod_pending",
        expires_at: null,
      },
      payment: { action: { type: "none" } },
    });
    expect((await product.stock()).reserved).toBe(2);
    expect((await payBy("cod")).body).toEqual(body);
    expect((await confirm()).body).toEqual(body);
    const refused = await payBy("gateway");
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: "invalid_transition",
      message: "This order is paid on delivery.",
      details: { from: "confirmed", to: "pending_payment", allowed: [] },
    });

    const excluded = await plantProduct(table, { cod_eligible: false });
    const dear = await buy({ product: excluded });
    const answer = await dear.payBy("cod");
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.["payment_method"]).toEqual([
      `${excluded.product.name} cannot be paid on delivery.`,
    ]);
    expect((await dear.read()).order.version).toBe(2);
  });

  test("from bank transfer to the gateway opens a gateway payment", async () => {
    const { payBy, read } = await buy({ payment_method: "bank_transfer" });
    const { body } = await payBy("gateway");
    const { action } = body.data.payment;
    if (action.type !== "stripe_payment_intent") throw new Error(action.type);
    const again = (await payBy("gateway")).body.data.payment.action;
    expect(again).toEqual(action);
    await stripe.pay(action.client_secret);
    await waitUntil(async () => expect((await read()).order.status).toBe("confirmed"));
  });

  test("keeps the gateway payment if it has succeeded meanwhile", async () => {
    const { id, secret, payBy, holdWebhooks } = await buy();
    await holdWebhooks();
    await stripe.pay(secret);
    const { status, body } = await payBy("bank_transfer");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      order: { status: "confirmed", payment_method: "gateway", payment_status: "paid" },
      payment: { amount_due: 0 },
    });
    await stripe.letGo(id);
  });

  test("is refused if the order is paid, with a message for the buyer", async () => {
    const { secret, payBy, read } = await buy();
    await stripe.pay(secret);
    await waitUntil(async () => expect((await read()).order.status).toBe("confirmed"));
    for (const [method, to] of [
      ["bank_transfer", "pending_payment"],
      ["cod", "confirmed"],
    ] as const) {
      const { status, body } = await payBy(method);
      expect([method, status, body]).toEqual([
        method,
        409,
        {
          message: "This order is already paid.",
          code: "invalid_transition",
          details: { from: "confirmed", to, allowed: [] },
          request_id: expect.any(String),
        },
      ]);
    }
  });

  test("is refused while the buyer's bank is processing the gateway payment", async () => {
    const { secret, payBy, read } = await buy();
    await stripe.pay(secret, "pm_usBankAccount_processing");
    const { status, body } = await payBy("cod");
    expect({ status, code: body.code }).toEqual({ status: 409, code: "in_progress" });
    expect((await read()).order).toMatchObject({
      status: "pending_payment",
      payment_method: "gateway",
    });
  });

  test("is refused while the gateway is unavailable and leaves the order unchanged", async () => {
    const { paymentId, payBy, read } = await buy();
    await stripe.fail({
      call: "payment_intents.cancel",
      about: paymentId,
      fault: "server_error",
      times: 1000,
    });
    const { order } = await read();
    const { status, body } = await payBy("bank_transfer");
    expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
    expect((await read()).order).toEqual(order);
    await stripe.heal(paymentId);
  });
});
