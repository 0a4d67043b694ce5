import type { Stripe } from "stripe";
import type {
  GatewayDispute,
  GatewayPayment,
  GatewayRefund,
} from "../domain/payment/gateway/gateway-payment.ts";
import type { PayablePayment } from "./gateway.ts";

/** Currencies without minor units that Stripe nevertheless counts in hundredths. */
const inHundredths = new Set(["ISK", "UGX"]);
const unitsOf = (currency: string) => (inHundredths.has(currency.toUpperCase()) ? 100 : 1);

/** An amount in Stripe's units, from minor units of the currency. */
export const amountFor = (amount: number, currency: string): number => amount * unitsOf(currency);

const amountOf = (amount: number, currency: string): number =>
  Math.round(amount / unitsOf(currency));

/**
 * The payment of a PaymentIntent.
 *
 * @param refunds all refunds of the payment
 * @param disputes all disputes of the payment
 */
export function payableOf(
  intent: Stripe.PaymentIntent,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[] = [],
): PayablePayment {
  const { id, metadata, currency, client_secret: clientSecret } = intent;
  // Stripe omits the client secret only if the request was made with a publishable key.
  if (clientSecret === null) throw new Error(`The payment ${id} has no client secret`);
  const error = intent.last_payment_error;
  return {
    id,
    order_id: metadata["order_id"] ?? null,
    state: stateOf(intent),
    amount: amountOf(intent.amount, currency),
    received: amountOf(intent.amount_received, currency),
    currency: currency.toUpperCase(),
    // Messages of other errors are meant for developers.
    decline_reason: (error?.type === "card_error" && error.message) || null,
    refunds: refunds.map(refundOf),
    disputes: disputes.map(disputeOf),
    clientSecret,
  };
}

function stateOf(intent: Stripe.PaymentIntent): GatewayPayment["state"] {
  switch (intent.status) {
    case "succeeded":
      return "succeeded";
    case "canceled":
      return "cancelled";
    case "processing":
    // We request automatic capture. The money is authorized, and Stripe has yet to capture it.
    case "requires_capture":
      return "processing";
    case "requires_payment_method":
      return intent.last_payment_error ? "failed" : "open";
    default:
      return "open";
  }
}

function disputeOf(dispute: Stripe.Dispute): GatewayDispute {
  const { id, status, amount, currency, is_charge_refundable } = dispute;
  const state = disputeState(status);
  return {
    id,
    state,
    amount: amountOf(amount, currency),
    is_refundable: state === "won" || is_charge_refundable,
  };
}

/** An inquiry, whose status is a warning, takes no money. If it is closed, the bank gives up. */
function disputeState(status: Stripe.Dispute["status"]): GatewayDispute["state"] {
  if (status === "lost") return "lost";
  return status === "won" || status === "warning_closed" || status === "prevented" ? "won" : "open";
}

export function refundOf(refund: Stripe.Refund): GatewayRefund {
  const { id, status, amount, currency, metadata, failure_reason: code } = refund;
  const state = refundState(status);
  return {
    id,
    state,
    amount: amountOf(amount, currency),
    transaction_id: metadata?.["transaction_id"] ?? null,
    refusal:
      state === "failed" && code !== undefined
        ? { code, reason: `The refund failed: ${code.replaceAll("_", " ")}.` }
        : null,
  };
}

function refundState(status: string | null): GatewayRefund["state"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}
