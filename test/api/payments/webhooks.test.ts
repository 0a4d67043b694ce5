import { describe, expect, test } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { signatureOf } from "#infra/local/stripe/webhooks.ts";
import { GatewayEvents } from "#shared/storage/payment/gateway-events.ts";
import { at } from "#shared/storage/reads.ts";
import { clientOf } from "#test/support/http/client.ts";
import { type Buyer, onlineBuyers, storyOf } from "#test/support/shop/placed-orders.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";
import { useShop } from "#test/support/stack/shop.ts";

const { baseUrl, environment } = await useShop();

const { stripe, buy, table } = onlineBuyers(baseUrl, environment);

const path = "/webhooks/payments/stripe";
const inSeconds = () => Math.floor(Date.now() / 1000);
const anEventId = () => `evt_${crypto.randomUUID().replaceAll("-", "")}`;

const bodyOf = (id: string, payment: string) =>
  JSON.stringify({
    id,
    object: "event",
    data: { object: { object: "payment_intent", id: payment } },
  });

/** Sends an event as Stripe does. Without a signature, the header is omitted. */
const send = (body: string, signature: string | null) =>
  clientOf(baseUrl).send<{ code?: string }>("POST", path, {
    body,
    headers: {
      "content-type": "application/json",
      ...(signature !== null && { "stripe-signature": signature }),
    },
  });

const countStoredEvents = async (...ids: string[]) => {
  const { events } = await table.getMany({
    events: ids.map((event_id) => at(GatewayEvents, { event_id })),
  });
  return events.filter((event) => event !== undefined).length;
};

/** An order with ten undelivered events, from two declined payments, a successful one and two refunds by hand. */
async function eventfulOrder(): Promise<{ buyer: Buyer; events: string[] }> {
  const buyer = await buy();
  await buyer.holdWebhooks();
  const before = new Set((await stripe.events(buyer.id)).map(({ id }) => id));
  await stripe.pay(buyer.secret, "pm_card_chargeDeclined");
  await stripe.pay(buyer.secret, "pm_card_chargeDeclined");
  await stripe.pay(buyer.secret);
  await stripe.refundByHand(buyer.paymentId, 1_000);
  await stripe.refundByHand(buyer.paymentId, 2_000);
  const events = (await stripe.events(buyer.id)).map(({ id }) => id);
  return { buyer, events: events.filter((id) => !before.has(id)) };
}

/** Delivers an event until the service is not too busy for it, as Stripe does. */
async function delivered(id: string): Promise<number | undefined> {
  for (;;) {
    const [delivery] = await stripe.deliver([id]);
    if (delivery?.status !== 503 && delivery?.status !== 0) return delivery?.status;
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}

test("fifty concurrent deliveries of ten webhooks in any order have the same effect as one delivery of each in order", async () => {
  const [ordered, random] = [await eventfulOrder(), await eventfulOrder()];
  expect(random.events).toHaveLength(10);
  for (const id of ordered.events) expect(await delivered(id)).toBe(200);
  const fiveTimes = Array.from({ length: 5 }, () => random.events).flat();
  const statuses = await Promise.all(shuffled(fiveTimes).map(delivered));

  expect(new Set(statuses)).toEqual(new Set([200]));
  const story = storyOf(await random.buyer.read());
  expect(story).toEqual(storyOf(await ordered.buyer.read()));
  expect(story).toMatchObject({
    status: "confirmed",
    payment_status: "partially_paid",
    refunded: 3_000,
  });
  expect(story.transactions).toHaveLength(3);
  expect(await countStoredEvents(...random.events)).toBe(10);
});

describe("a webhook without a valid Stripe signature", () => {
  const wrongly: [string, (body: string) => string | null][] = [
    ["no signature", () => null],
    ["a signature with another secret", (body) => signatureOf(body, "whsec_another", inSeconds())],
    [
      "a signature of another body",
      (body) => signatureOf(`${body} `, emulatorKeys.webhookSecret, inSeconds()),
    ],
    [
      "a timestamp that is too old",
      (body) => signatureOf(body, emulatorKeys.webhookSecret, inSeconds() - 301),
    ],
    [
      "a timestamp in the future",
      (body) => signatureOf(body, emulatorKeys.webhookSecret, inSeconds() + 600),
    ],
    ["an empty signature", () => "t=1,v1="],
  ];

  test.each(wrongly)("is refused and stores nothing if it has %s", async (_what, sign) => {
    const buyer = await buy();
    await buyer.holdWebhooks();
    await stripe.pay(buyer.secret);
    const before = await buyer.read();
    const id = anEventId();
    const body = bodyOf(id, buyer.paymentId);
    const reply = await send(body, sign(body));
    expect({ status: reply.status, code: reply.body.code }).toEqual({
      status: 400,
      code: "bad_signature",
    });
    expect(await countStoredEvents(id)).toBe(0);
    expect(await buyer.read()).toEqual(before);
    await stripe.letGo(buyer.id);
  });
});

describe("a signed webhook", () => {
  const signed = (id: string, payment: string) => {
    const body = bodyOf(id, payment);
    return send(body, signatureOf(body, emulatorKeys.webhookSecret, inSeconds()));
  };

  test("of an unknown payment is accepted, and processed only once", async () => {
    const id = anEventId();
    expect((await signed(id, `pi_${id}`)).status).toBe(200);
    expect(await countStoredEvents(id)).toBe(1);
    expect((await signed(id, `pi_${id}`)).status).toBe(200);
    const asked = await stripe.calls(`pi_${id}`);
    expect(asked).toHaveLength(1);
  });

  test("that is thin, or no event, is refused as unsupported and stores nothing", async () => {
    const id = anEventId();
    for (const body of [JSON.stringify({ id, object: "v2.core.event" }), `{"id":"${id}"}`, id]) {
      const reply = await send(body, signatureOf(body, emulatorKeys.webhookSecret, inSeconds()));
      expect([reply.status, reply.body.code]).toEqual([400, "unsupported_event"]);
    }
    expect(await countStoredEvents(id)).toBe(0);
  });

  test("returns 503 while the gateway is unavailable, and takes effect when it is delivered again", async () => {
    const { paymentId: payment, secret, id: orderId, read, holdWebhooks } = await buy();
    await holdWebhooks();
    await stripe.pay(secret);
    const away = { call: "payment_intents.retrieve", about: payment, times: 1000 } as const;
    await stripe.fail({ ...away, fault: "server_error" });
    const id = anEventId();
    expect((await signed(id, payment)).status).toBe(503);
    expect(await countStoredEvents(id)).toBe(0);
    await stripe.heal(payment);
    expect((await signed(id, payment)).status).toBe(200);
    expect((await read()).order.status).toBe("confirmed");
    await stripe.letGo(orderId);
  });

  test("about a refund in Stripe's dashboard updates the refunded amount of the order", async () => {
    const { secret, paymentId, read } = await buy();
    await stripe.pay(secret);
    await stripe.refundByHand(paymentId, 5_000);
    await waitUntil(async () =>
      expect((await read()).order).toMatchObject({
        refunded: 5_000,
        payment_status: "partially_paid",
      }),
    );
  });
});
