import { hash } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import type { Stripe } from "stripe";
import type { GatewayPayment, GatewayRefund } from "../domain/payment/gateway/gateway-payment.ts";
import type { Log } from "../runtime/log.ts";
import { deadlineAt } from "../runtime/deadline.ts";
import { timeoutOf } from "../runtime/timeouts.ts";
import { Unavailable } from "../runtime/unavailable.ts";
import type { PayablePayment, PaymentGateway, PaymentRequest } from "./gateway.ts";
import { AppError } from "../domain/request/app-error.ts";
import {
  type StripeError,
  inShort,
  isAmountRefused,
  isPassingFailure,
  isRefused,
  isStripeError,
  isUnknown,
} from "./stripe-errors.ts";
import { amountFor, payableOf, refundOf } from "./stripe-payments.ts";

export interface StripeAccess {
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Defaults to Stripe's own. */
  readonly endpoint?: string | undefined;
  /** Logs errors that staff must fix: wrong keys and requests that Stripe refuses. */
  readonly log: Pick<Log, "error">;
}

const connectMs = 1_000;
const attemptMs = 3_000;
/**
 * The maximum time of one call of the gateway, including retries and follow-up requests: a webhook must be answered
 * within five seconds.
 */
const patienceMs = 4_000;

/** A charge contains its first ten refunds; further refunds are read from a paged list. */
const withRefunds = { expand: ["latest_charge.refunds"] };

/**
 * Stripe as the payment gateway: one PaymentIntent per attempt to pay an order.
 *
 * A refund that Stripe refuses, for example because the charge is disputed, is returned as `failed` with the reason. Its
 * id is that of the request in Stripe's log. A payment whose amount Stripe refuses throws AppError
 * `payment_refused`. Every other refusal throws Unavailable.
 */
export function openStripe(access: StripeAccess): PaymentGateway {
  const callMs = timeoutOf(patienceMs);
  let connected: Promise<Stripe> | undefined;

  async function ask<Answer>(
    audit: string,
    call: (stripe: Stripe) => Promise<Answer>,
  ): Promise<Answer> {
    const stripe = await (connected ??= connect(access));
    try {
      return await within(Math.min(callMs, deadlineAt() - Date.now()), call(stripe));
    } catch (error) {
      if (!isStripeError(error)) throw error;
      const cause = inShort(error);
      if (isPassingFailure(error))
        throw new Unavailable("The payment gateway is unavailable", { cause });
      access.log.error("Stripe refused the request", { audit, cause });
      throw new Unavailable("The payment gateway refused the request", { cause });
    }
  }

  return {
    publishableKey: access.publishableKey,
    create: (request) =>
      ask("create a payment", (stripe) =>
        create(stripe, request).catch((error: unknown) => {
          throw isAmountRefused(error) ? refusalOf(error) : error;
        }),
      ),
    find: (paymentId) =>
      ask("find a payment", (stripe) =>
        retrieve(stripe, paymentId).catch((error: unknown) => {
          if (isUnknown(error)) return undefined;
          throw error;
        }),
      ),
    cancel: (paymentId) => ask("cancel a payment", (stripe) => cancel(stripe, paymentId)),
    refund: (request) =>
      ask("refund", async (stripe) => {
        try {
          return await refund(stripe, request);
        } catch (error) {
          if (!isRefused(error)) throw error;
          return refusedRefund(request, error);
        }
      }),
  };
}

/** The refusal of a payment's amount. */
const refusalOf = ({ message, code }: StripeError): AppError =>
  new AppError("payment_refused", { details: { reason: message, code: code ?? null } });

/** The SDK is a separate file of the bundle, loaded on the first use. */
async function connect({ secretKey, endpoint }: StripeAccess): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  const { Agent } = endpoint?.startsWith("http:") ? http : https;
  return new Stripe(secretKey, {
    ...(endpoint !== undefined && placeOf(endpoint)),
    // The agent's timeout applies until a socket is connected, the client's from then on.
    httpAgent: new Agent({ keepAlive: true, timeout: timeoutOf(connectMs) }),
    timeout: timeoutOf(attemptMs),
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

function placeOf(endpoint: string): { protocol: "http" | "https"; host: string; port: string } {
  const { protocol, hostname, port } = new URL(endpoint);
  const secure = protocol === "https:";
  return {
    protocol: secure ? "https" : "http",
    host: hostname,
    port: port || (secure ? "443" : "80"),
  };
}

async function create(stripe: Stripe, request: PaymentRequest): Promise<PayablePayment> {
  const { orderId, orderNumber, attempt, currency } = request;
  const intent = await stripe.paymentIntents.create(
    {
      amount: amountFor(request.amount, currency),
      currency: currency.toLowerCase(),
      automatic_payment_methods: { enabled: true },
      description: `Order ${orderNumber}`,
      ...(request.email !== null && { receipt_email: request.email }),
      metadata: { order_id: orderId, order_number: orderNumber },
    },
    { idempotencyKey: `payment/${orderId}/${attempt}/${termsOf(request)}` },
  );
  // A repeated request returns the first response, so the current state is read instead.
  const isRepeat = intent.lastResponse.headers["idempotent-replayed"] === "true";
  return isRepeat ? retrieve(stripe, intent.id) : payableOf(intent, []);
}

/**
 * A part of the idempotency key: a hash of the parameters that may differ when an attempt is repeated after a lost
 * response. Part of the amount may have been paid meanwhile, or staff may have corrected the email. For a day, Stripe
 * refuses an idempotency key that was used with different parameters.
 */
const termsOf = ({ amount, currency, email }: PaymentRequest): string =>
  hash("sha256", JSON.stringify([amount, currency, email]), "hex").slice(0, 16);

async function retrieve(stripe: Stripe, paymentId: string): Promise<PayablePayment> {
  const intent = await stripe.paymentIntents.retrieve(paymentId, withRefunds);
  const charge = intent.latest_charge;
  const made = typeof charge === "string" ? undefined : charge;
  const first = made?.refunds;
  const refunds = first?.has_more ? await refundsOf(stripe, paymentId) : (first?.data ?? []);
  // A payment has one dispute; a bank that comes back to it may open a second.
  const disputes = made?.disputed
    ? (await stripe.disputes.list({ payment_intent: paymentId, limit: 10 })).data
    : [];
  return payableOf(intent, refunds, disputes);
}

/** All refunds of a payment, however many. */
async function refundsOf(stripe: Stripe, paymentId: string): Promise<Stripe.Refund[]> {
  const refunds: Stripe.Refund[] = [];
  for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
    refunds.push(refund);
  }
  return refunds;
}

async function cancel(stripe: Stripe, paymentId: string): Promise<GatewayPayment | undefined> {
  try {
    return payableOf(await stripe.paymentIntents.cancel(paymentId), []);
  } catch (error) {
    if (isUnknown(error)) return undefined;
    // The payment is final already, or the bank is processing it.
    if (isRefused(error) && error.code === "payment_intent_unexpected_state") {
      return retrieve(stripe, paymentId);
    }
    throw error;
  }
}

type RefundRequest = Parameters<PaymentGateway["refund"]>[0];

async function refund(stripe: Stripe, request: RefundRequest): Promise<GatewayRefund> {
  const { paymentId, amount, transactionId } = request;
  // Stripe deletes an idempotency key after a day, but still lists the refunds.
  const { refunds, currency } = await retrieve(stripe, paymentId);
  const earlier = refunds.find(({ transaction_id: id }) => id === transactionId);
  if (earlier) return earlier;
  const made = await stripe.refunds.create(
    {
      payment_intent: paymentId,
      amount: amountFor(amount, currency),
      metadata: { transaction_id: transactionId },
    },
    { idempotencyKey: `refund/${transactionId}` },
  );
  return refundOf(made);
}

function refusedRefund(
  { amount, transactionId }: RefundRequest,
  { message, code }: StripeError,
): GatewayRefund {
  return {
    id: null,
    state: "failed",
    amount,
    transaction_id: transactionId,
    refusal: { code: code ?? null, reason: message },
  };
}

async function within<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Unavailable(`No answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
