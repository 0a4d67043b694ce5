import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { ulid } from "ulid";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { emulatorKeys } from "#infra/local/stripe/keys.ts";
import { type StripeEmulator, startStripe } from "#infra/local/stripe/emulator.ts";
import { GatewayPayment } from "#shared/domain/payment/gateway/gateway-payment.ts";
import type { PaymentGateway, PaymentRequest } from "#shared/payments/gateway.ts";
import { openStripe } from "#shared/payments/stripe-gateway.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import { stripeAt } from "#test/support/emulators/stripe.ts";
import { waitUntil } from "#test/support/stack/wait-until.ts";

let emulator: StripeEmulator;
let gateway: PaymentGateway;
let stripe: ReturnType<typeof stripeAt>;
const aLog = () => ({
  error: vi.fn<(message: string, facts?: Record<string, unknown>) => void>(),
});
const log = aLog();

beforeAll(async () => {
  // No webhook receiver is needed here.
  emulator = await startStripe({ webhookUrl: "http://127.0.0.1:9/", bankMs: 20 });
  stripe = stripeAt(emulator.endpoint);
  gateway = openStripe({ ...emulatorKeys, endpoint: emulator.endpoint, log });
});
afterAll(() => emulator.stop());

function aRequest(overrides: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    orderId: `ord_${ulid()}`,
    orderNumber: "FS-7K3M-92QX-4HT8",
    attempt: 1,
    amount: 4_599_000,
    currency: "INR",
    email: "asha@example.com",
    ...overrides,
  };
}

async function aPaidOne(method?: string) {
  const request = aRequest();
  const payment = await gateway.create(request);
  await stripe.pay(payment.clientSecret, method);
  return payment.id;
}

const stateOf = async (id: string) => (await gateway.find(id))?.state;

describe("a gateway payment", () => {
  test("is created for an order and can be paid with its client secret", async () => {
    const request = aRequest();
    const { clientSecret, ...payment } = await gateway.create(request);
    expect(GatewayPayment.parse(payment)).toEqual(payment);
    expect(payment).toEqual({
      id: payment.id,
      order_id: request.orderId,
      state: "open",
      amount: 4_599_000,
      received: 0,
      currency: "INR",
      decline_reason: null,
      refunds: [],
      disputes: [],
    });
    expect(await stripe.pay(clientSecret)).toMatchObject({ status: 200 });
    expect(await gateway.find(payment.id)).toEqual({
      ...payment,
      clientSecret,
      state: "succeeded",
      received: 4_599_000,
    });
  });

  test("has a decline reason and can be retried after it was declined", async () => {
    const { id, clientSecret } = await gateway.create(aRequest());
    expect(await stripe.pay(clientSecret, "pm_card_chargeDeclined")).toMatchObject({
      status: 402,
      body: { error: { code: "card_declined", payment_intent: { id } } },
    });
    expect(await gateway.find(id)).toMatchObject({
      state: "failed",
      received: 0,
      decline_reason: "Your card was declined.",
    });
    await stripe.pay(clientSecret);
    expect(await gateway.find(id)).toMatchObject({ state: "succeeded", decline_reason: null });
  });

  test.each(["succeeded", "failed"] as const)(
    "is processing until it %s, if the bank takes time",
    async (outcome) => {
      const { id, clientSecret } = await gateway.create(aRequest());
      await stripe.pay(clientSecret, "pm_usBankAccount_processing");
      expect(await stateOf(id)).toBe("processing");
      await stripe.completePayment(id, outcome);
      expect(await stateOf(id)).toBe(outcome);
    },
  );

  test("stays open until its buyer confirms it with the bank", async () => {
    const { id, clientSecret } = await gateway.create(aRequest());
    const { body } = await stripe.pay(clientSecret, "pm_card_authenticationRequired");
    expect(await stateOf(id)).toBe("open");
    const { next_action: next } = body as {
      next_action: { redirect_to_url: { url: string } };
    };
    await fetch(next.redirect_to_url.url);
    expect(await stateOf(id)).toBe("succeeded");
  });

  test("is created once per order and attempt, and creating it again returns its current state", async () => {
    const request = aRequest();
    const [first, twin] = await Promise.all([gateway.create(request), gateway.create(request)]);
    expect(twin).toEqual(first);
    await stripe.pay(first.clientSecret);
    expect(await gateway.create(request)).toMatchObject({ id: first.id, state: "succeeded" });
    expect(await gateway.create({ ...request, attempt: 2 })).toMatchObject({ state: "open" });
  });

  test("is created again if its parameters changed after a lost response", async () => {
    const request = aRequest();
    const lost = await gateway.create(request);
    const rest = await gateway.create({ ...request, amount: 1_000_000 });
    expect(rest).toMatchObject({ state: "open", amount: 1_000_000 });
    const mended = await gateway.create({ ...request, email: "asha.rao@example.com" });
    expect(new Set([lost.id, rest.id, mended.id]).size).toBe(3);
  });

  test("uses two decimals in Stripe's API for currencies such as ISK that have none", async () => {
    const { id, amount } = await gateway.create(aRequest({ currency: "ISK", amount: 54_900 }));
    expect(amount).toBe(54_900);
    await stripe.pay((await gateway.find(id))?.clientSecret ?? "");
    expect(await gateway.find(id)).toMatchObject({ amount: 54_900, received: 54_900 });
    expect(await stripe.refundByHand(id, 100)).toMatchObject({ status: 200 });
    expect((await gateway.find(id))?.refunds).toMatchObject([{ amount: 1 }]);
  });

  test("is returned as undefined if it does not exist", async () => {
    expect(await gateway.find("pi_ofAnotherShop")).toBeUndefined();
  });
});

describe("cancelling a gateway payment", () => {
  test("returns undefined for an unknown payment, as after a change of keys", async () => {
    expect(await gateway.cancel("pi_of_another_account")).toBeUndefined();
  });

  test("closes an open payment, and is idempotent", async () => {
    const { id, clientSecret } = await gateway.create(aRequest());
    expect(await gateway.cancel(id)).toMatchObject({ id, state: "cancelled", received: 0 });
    expect(await gateway.cancel(id)).toMatchObject({ id, state: "cancelled" });
    expect(await stripe.pay(clientSecret)).toMatchObject({ status: 400 });
  });

  test("does not close a payment that has succeeded, but returns it with its refunds", async () => {
    const id = await aPaidOne();
    await stripe.refundByHand(id, 5);
    expect(await gateway.cancel(id)).toMatchObject({
      state: "succeeded",
      received: 4_599_000,
      refunds: [{ amount: 5, transaction_id: null, state: "succeeded" }],
    });
  });

  test("leaves a payment that the bank is processing unchanged", async () => {
    expect(await gateway.cancel(await aPaidOne("pm_usBankAccount_processing"))).toMatchObject({
      state: "processing",
    });
  });
});

describe("a gateway refund", () => {
  test("is made once per transaction and listed with its payment", async () => {
    const paymentId = await aPaidOne();
    const request = { paymentId, amount: 99_000, transactionId: `txn_${ulid()}` };
    const [refund, twin] = await Promise.all([gateway.refund(request), gateway.refund(request)]);
    expect(refund).toEqual({
      id: refund.id,
      state: "succeeded",
      amount: 99_000,
      transaction_id: request.transactionId,
      refusal: null,
    });
    expect([twin, await gateway.refund(request)]).toEqual([refund, refund]);
    expect((await gateway.find(paymentId))?.refunds).toEqual([refund]);
  });

  test("is requested from Stripe only once if it is repeated for the same transaction", async () => {
    const paymentId = await aPaidOne();
    const request = { paymentId, amount: 1_000, transactionId: `txn_${ulid()}` };
    await gateway.refund(request);
    await gateway.refund(request);
    const calls = await stripe.calls(request.transactionId);
    expect(calls).toEqual([expect.objectContaining({ call: "refunds.create", status: 200 })]);
  });

  test("shows its current state, even if it first is pending or fails later", async () => {
    const paymentId = await aPaidOne("pm_card_pendingRefund");
    const late = await gateway.refund({ paymentId, amount: 7, transactionId: `txn_${ulid()}` });
    expect(late.state).toBe("pending");
    await waitUntil(async () => {
      expect((await gateway.find(paymentId))?.refunds).toMatchObject([{ state: "succeeded" }]);
    });

    const other = await aPaidOne("pm_card_refundFail");
    await gateway.refund({ paymentId: other, amount: 7, transactionId: `txn_${ulid()}` });
    await waitUntil(async () => {
      const refusal = {
        code: "expired_or_canceled_card",
        reason: "The refund failed: expired or canceled card.",
      };
      expect((await gateway.find(other))?.refunds).toMatchObject([{ state: "failed", refusal }]);
    });
  });

  test("is returned as failed with the reason if it exceeds the remaining amount, and is no error of ours", async () => {
    const paymentId = await aPaidOne();
    const transactionId = `txn_${ulid()}`;
    const refund = { paymentId, amount: 4_599_001, transactionId };
    const failed = await gateway.refund(refund);
    expect(failed).toMatchObject({
      state: "failed",
      amount: 4_599_001,
      transaction_id: transactionId,
      refusal: {
        code: null,
        reason: expect.stringContaining("is greater than unrefunded amount on charge") as string,
      },
    });
    expect(failed.id).toBeNull();
    expect(log.error).not.toHaveBeenCalled();
    expect((await gateway.find(paymentId))?.refunds).toEqual([]);
  });

  test("is found even if the payment has more refunds than Stripe lists on one page", async () => {
    const paymentId = await aPaidOne();
    for (let each = 0; each < 103; each++) await stripe.refundByHand(paymentId, 1 + each);
    const refunds = (await gateway.find(paymentId))?.refunds ?? [];
    expect(refunds.map(({ amount }) => amount)).toEqual(
      Array.from({ length: 103 }, (_, each) => 103 - each),
    );
  });
});

// The tests run concurrently, because each mostly waits.
describe("a dispute", () => {
  test("is a part of the payment; its charge cannot be refunded unless the dispute is won", async () => {
    const id = await aPaidOne();
    const du = await stripe.dispute(id);
    const disputesOf = async () => (await gateway.find(id))?.disputes;
    expect(await disputesOf()).toEqual([
      { id: du, state: "open", amount: 4_599_000, is_refundable: false },
    ]);
    const refund = { paymentId: id, amount: 100 };
    const refused = await gateway.refund({ ...refund, transactionId: `txn_${ulid()}` });
    expect(refused).toMatchObject({ state: "failed", refusal: { code: "charge_disputed" } });
    await stripe.closeDispute(du, "lost");
    expect(await disputesOf()).toMatchObject([{ state: "lost", is_refundable: false }]);
    await stripe.closeDispute(du, "won");
    expect(await disputesOf()).toMatchObject([{ state: "won", is_refundable: true }]);
    const made = await gateway.refund({ ...refund, transactionId: `txn_${ulid()}` });
    expect(made.state).toBe("succeeded");
  });
});

describe.concurrent("a failure of Stripe's API", () => {
  test("creates no second payment if a response is lost and the request is retried", async () => {
    const request = aRequest();
    await stripe.fail({
      call: "payment_intents.create",
      about: request.orderId,
      fault: "answer_lost",
    });
    const payment = await gateway.create(request);
    expect(await stripe.events(request.orderId)).toMatchObject([
      { type: "payment_intent.created", payment: payment.id },
    ]);
    const calls = await stripe.calls(request.orderId);
    expect(calls.map(({ status }) => status)).toEqual([0, 200]);
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test.each(["server_error", "too_many", "reset"] as const)(
    "throws Unavailable for %s, and the same request succeeds later",
    async (fault) => {
      const request = aRequest();
      await stripe.fail({ about: request.orderId, times: 2, fault });
      await expect(gateway.create(request)).rejects.toThrow(Unavailable);
      await stripe.heal(request.orderId);
      expect(await gateway.create(request)).toMatchObject({ state: "open" });
    },
  );

  test(
    "throws Unavailable within five seconds if there is no response",
    { tags: "slow" },
    async () => {
      const id = await aPaidOne();
      await stripe.fail({ about: id, times: 10, fault: "hang" });
      vi.stubEnv("TIMEOUT_MULTIPLIER", undefined);
      const inProduction = openStripe({ ...emulatorKeys, endpoint: emulator.endpoint, log });
      vi.unstubAllEnvs();
      // Even on a busy machine the gateway's earlier timeout fires first: timers of one process fire in order.
      const found = inProduction.find(id).catch((error: unknown) => error);
      expect(await Promise.race([found, delay(5_000)])).toBeInstanceOf(Unavailable);
      await stripe.heal(id);
      expect(await stateOf(id)).toBe("succeeded");
    },
  );

  test("throws Unavailable for an unreachable host", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    const endpoint = `http://127.0.0.1:${port}`;
    const nowhere = openStripe({ ...emulatorKeys, endpoint, log: aLog() });
    await expect(nowhere.find("pi_1")).rejects.toThrow(Unavailable);
  });

  test("throws Unavailable for wrong keys and logs an error without the keys", async () => {
    const secretKey = "sk_test_revokedYesterday";
    const log = aLog();
    const locked = openStripe({ ...emulatorKeys, secretKey, endpoint: emulator.endpoint, log });
    await expect(locked.create(aRequest())).rejects.toThrow(
      new Unavailable("The payment gateway refused the request"),
    );
    expect(log.error).toHaveBeenCalledOnce();
    expect(JSON.stringify(log.error.mock.calls)).toContain("401");
    expect(JSON.stringify(log.error.mock.calls)).not.toContain("sk_test");
  });

  test("throws payment_refused for an amount below the minimum, without an error in the log", async () => {
    const own = aLog();
    const strict = openStripe({ ...emulatorKeys, endpoint: emulator.endpoint, log: own });
    const refusal = strict.create(aRequest({ amount: 49 }));
    await expect(refusal).rejects.toMatchObject({
      code: "payment_refused",
      refusal: { details: { code: "amount_too_small", reason: expect.stringContaining("0.50") } },
    });
    expect(own.error).not.toHaveBeenCalled();
    expect((await strict.create(aRequest({ amount: 50 }))).state).toBe("open");
  });

  test("creates payments in dinars in tens of fils only", async () => {
    const dinars = { currency: "KWD", amount: 1_234_560 };
    expect((await gateway.create(aRequest(dinars))).amount).toBe(1_234_560);
    const fine = gateway.create(aRequest({ ...dinars, amount: 1_234_567 }));
    await expect(fine).rejects.toThrow(Unavailable);
  });

  test("throws Unavailable for a refused payment and logs an error", async () => {
    const log = aLog();
    const refusing = openStripe({ ...emulatorKeys, endpoint: emulator.endpoint, log });
    await expect(refusing.create(aRequest({ amount: 0 }))).rejects.toThrow(Unavailable);
    expect(log.error).toHaveBeenCalledOnce();
  });
});
