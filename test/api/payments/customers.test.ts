import { expect, test } from "vitest";
import type { CheckoutAnswer } from "#shared/domain/checkout/checkout.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { clientOf } from "#test/support/http/client.ts";
import { aMember } from "#test/support/people/members.ts";
import { aCheckout, plantProduct } from "#test/support/shop/plant.ts";
import type { Data } from "#test/support/shop/shopping.ts";
import { waitFor } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, table, stripe } = await useShop({ effects: ["due-orders"] });

/** Polls often: on the local stack, webhooks arrive at once and scheduled functions run every second. */
const soon = { interval: 50 };

async function aCustomersOrder() {
  const { client, headers, email, phone } = await aMember(baseUrl);
  const { sku, stock } = await plantProduct(table);
  await client.post("/cart", { items: [{ sku, quantity: 2 }] }, headers);
  const body = aCheckout({ email, phone, payment_method: "gateway" });
  const reply = await client.post<Data<CheckoutAnswer>>("/checkout", body, headers);
  const { order, payment, order_access_token } = reply.body.data;
  if (payment.action.type !== "stripe_payment_intent") throw new Error(reply.text);
  expect(order_access_token).toBeNull();
  const post = (path: string, by: Record<string, string> = headers) =>
    clientOf(baseUrl).send<Data<CheckoutAnswer>>("POST", `/api/v1${path}`, { headers: by });
  return {
    id: order.id,
    stock,
    secret: payment.action.client_secret,
    confirm: (by?: Record<string, string>) => post(`/checkout/${order.id}/confirm`, by),
    cancel: () => post(`/orders/${order.id}/cancel`),
    stored: async () => (await openOrders(table).find(order.id))?.order,
  };
}

test("a customer's payment can be confirmed only by that customer", async () => {
  const { confirm, secret } = await aCustomersOrder();
  const other = await aMember(baseUrl);
  await stripe.pay(secret);
  expect((await confirm(other.headers)).status).toBe(404);
  expect((await confirm({})).status).toBe(404);
  const { status, body } = await confirm();
  expect(status).toBe(200);
  expect(body.data.order).toMatchObject({ status: "confirmed", payment_status: "paid" });
});

test("if a customer cancels a paid order, the payment is refunded automatically", async () => {
  const { secret, confirm, cancel, stored, stock } = await aCustomersOrder();
  await stripe.pay(secret);
  await confirm();
  expect((await cancel()).status).toBe(200);
  await waitFor(
    "due-orders",
    async () =>
      expect(await stored()).toMatchObject({ status: "cancelled", payment_status: "refunded" }),
    soon,
  );
  expect((await stock()).reserved).toBe(0);
});

test("the open gateway payment of a cancelled order can no longer be paid", async () => {
  const { id, secret, cancel } = await aCustomersOrder();
  expect((await cancel()).status).toBe(200);
  const isEnded = async () => {
    const ended = (await stripe.events(id)).map(({ type }) => type);
    expect(ended).toContain("payment_intent.canceled");
  };
  await waitFor("due-orders", isEnded, soon);
  expect((await stripe.pay(secret)).status).toBe(400);
});
