import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type HttpServer, listen } from "#infra/local/gateway/http-server.ts";
import { startStack } from "#infra/local/stack.ts";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { type StripeEmulator, startStripe } from "#infra/local/stripe/emulator.ts";
import type { GatewayNotice } from "#shared/payments/gateway.ts";
import { readNotice } from "#shared/payments/stripe-webhook.ts";
import { stripeAt } from "#test/support/emulators/stripe.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

/** A webhook receiver that records the events in order of arrival. */
let received: GatewayNotice[] = [];
let answers: number[] = [];
let shop: HttpServer;
let emulator: StripeEmulator;
let stripe: ReturnType<typeof stripeAt>;

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const signature = request.headers["stripe-signature"]?.toString();
  const secret = emulatorKeys.webhookSecret;
  const notice = await readNotice({ body, signature, secret, now: new Date() });
  const status = typeof notice === "object" ? (answers.shift() ?? 204) : 400;
  if (typeof notice === "object" && status === 204) received.push(notice);
  response.writeHead(status).end();
}

beforeAll(async () => {
  shop = await listen(0);
  shop.serve((request, response) => void receive(request, response));
  emulator = await startStripe({ webhookUrl: `${shop.baseUrl}/events`, bankMs: 10 });
  stripe = stripeAt(emulator.endpoint);
});
afterAll(async () => {
  await emulator.stop();
  await shop.stop();
});
beforeEach(async () => {
  await emulator.quiet();
  received = [];
  answers = [];
});

async function aPayment() {
  const answer = await fetch(`${emulator.endpoint}/v1/payment_intents`, {
    method: "POST",
    headers: { authorization: `Bearer ${emulatorKeys.secretKey}` },
    body: new URLSearchParams({ amount: "4599000", currency: "inr" }),
  });
  return (await answer.json()) as { id: string; client_secret: string };
}
const typesOf = async (about: string) => (await stripe.events(about)).map(({ type }) => type);

describe("the Stripe emulator", () => {
  test("sends signed events for each change of a payment", async () => {
    const { id, client_secret } = await aPayment();
    await stripe.pay(client_secret, "pm_card_chargeDeclined");
    await stripe.pay(client_secret, "pm_card_pendingRefund");
    await stripe.refundByHand(id, 100);
    await waitUntil(async () => expect(await typesOf(id)).toContain("refund.updated"));
    expect(await typesOf(id)).toEqual([
      "payment_intent.created",
      "charge.failed",
      "payment_intent.payment_failed",
      "charge.succeeded",
      "payment_intent.succeeded",
      "refund.created",
      "charge.refunded",
      "refund.updated",
    ]);
    await stripe.quiet();
    const sent = (await stripe.events(id)).map((event) => ({ id: event.id, paymentId: id }));
    expect(received).toHaveLength(sent.length);
    expect(received).toEqual(expect.arrayContaining(sent));
  });

  test("opens a dispute soon after a payment with the card for it, and refuses its refunds", async () => {
    const { id, client_secret } = await aPayment();
    await stripe.pay(client_secret, "pm_card_createDispute");
    await waitUntil(async () => expect(await typesOf(id)).toContain("charge.dispute.created"));
    expect(await stripe.refundByHand(id, 100)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error", code: "charge_disputed" } },
    });
  });

  test("supports a bank debit that is processed later and then declined", async () => {
    const { id, client_secret } = await aPayment();
    await stripe.pay(client_secret, "pm_usBankAccount_insufficientFunds");
    await waitUntil(async () =>
      expect(await typesOf(id)).toEqual([
        "payment_intent.created",
        "payment_intent.processing",
        "charge.failed",
        "payment_intent.payment_failed",
      ]),
    );
  });

  test("can hold events back and deliver them in any order, repeatedly", async () => {
    const { id, client_secret } = await aPayment();
    await stripe.quiet();
    await stripe.hold(id);
    await stripe.pay(client_secret);
    await stripe.quiet();
    const [created, ...held] = (await stripe.events(id)).map((event) => event.id);
    expect(received.map((notice) => notice.id)).toEqual([created]);

    const backwards = held.toReversed();
    await stripe.deliver([...backwards, ...held]);
    expect(received.slice(1).map((notice) => notice.id)).toEqual([...backwards, ...held]);
    await stripe.letGo(id);
    await stripe.quiet();
    expect(received).toHaveLength(1 + 3 * held.length);
  });

  test("retries events after a 5xx response, but not after a 4xx response", async () => {
    answers = [500, 503];
    const { id } = await aPayment();
    await stripe.quiet();
    expect(await stripe.events(id)).toMatchObject([{ statuses: [500, 503, 204] }]);
    answers = [404];
    const other = await aPayment();
    await stripe.quiet();
    expect(await stripe.events(other.id)).toMatchObject([{ statuses: [404] }]);
  });

  test("lets a buyer read and pay only the buyer's own payment", async () => {
    const { id, client_secret } = await aPayment();
    const { publishableKey } = emulatorKeys;
    const ask = (path: string, form: Record<string, string>, key: string = publishableKey) =>
      fetch(`${emulator.endpoint}/v1/${path}`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
        body: new URLSearchParams(form),
      });
    const payment_method = "pm_card_visa";
    const confirm = `payment_intents/${id}/confirm`;
    expect((await ask(confirm, { payment_method })).status).toBe(404);
    expect((await ask("refunds", { payment_intent: id })).status).toBe(403);
    expect((await ask(confirm, { payment_method }, "pk_test_ofAnotherShop")).status).toBe(401);
    expect((await ask(confirm, { client_secret, payment_method: "pm_none" })).status).toBe(404);
    const paid = await ask(confirm, { client_secret, payment_method });
    expect(await paid.json()).toMatchObject({ id, status: "succeeded" });
  });

  test("answers browsers of any storefront, preflights included", async () => {
    const origin = "http://127.0.0.1:3000";
    const asked = "authorization,idempotency-key";
    const preflight = await fetch(`${emulator.endpoint}/v1/payment_intents/pi_1/confirm`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked,
      },
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get("access-control-allow-headers")).toBe(asked);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const refused = await fetch(`${emulator.endpoint}/v1/refunds`, { headers: { origin } });
    for (const { headers } of [preflight, refused]) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("replays the response for a repeated Idempotency-Key and refuses the key for another request", async () => {
    const refund = (amount: string) =>
      fetch(`${emulator.endpoint}/v1/payment_intents`, {
        method: "POST",
        headers: { authorization: `Bearer ${emulatorKeys.secretKey}`, "idempotency-key": "once" },
        body: new URLSearchParams({ amount, currency: "inr" }),
      });
    const first = await refund("100");
    const again = await refund("100");
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(await first.json());
    const other = await refund("200");
    expect(other.status).toBe(400);
    expect(await other.json()).toMatchObject({ error: { type: "idempotency_error" } });
  });
});

test("the local stack starts a Stripe emulator, which sends its events to that stack", async () => {
  const stack = await startStack({ families: [], consumers: [] });
  onTestFinished(stack.stop);
  const inside = stripeAt(stack.environment.STRIPE_API_URL);
  const answer = await fetch(`${stack.environment.STRIPE_API_URL}/v1/payment_intents`, {
    method: "POST",
    headers: { authorization: `Bearer ${emulatorKeys.secretKey}` },
    body: new URLSearchParams({ amount: "100", currency: "inr" }),
  });
  const { id } = (await answer.json()) as { id: string };
  await stack.settled();
  // This stack has no functions, so its gateway returns 404 for every event.
  expect(await inside.events(id)).toMatchObject([{ statuses: [404] }]);
  expect(await stack.stripe.calls(id)).toEqual([]);
});
