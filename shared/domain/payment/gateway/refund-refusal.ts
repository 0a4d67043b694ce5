import { writtenAmount } from "../../base/money.ts";
import type { Transaction } from "../payment.ts";
import type { GatewayPayment, GatewayRefusal } from "./gateway-payment.ts";

/**
 * Why the gateway would refuse for good to refund an amount of a payment, with the codes that Stripe has for it; null if
 * the payment's state is no reason.
 *
 * @param payment as the gateway has it; undefined if it does not know the payment
 * @param ledger of the order. Refunds of it that the ledger lacks show that it is out of date; they are no reason
 */
export function refundRefusal(
  payment: GatewayPayment | undefined,
  amount: number,
  ledger: readonly Pick<Transaction, "id">[],
): GatewayRefusal | null {
  if (!payment) {
    return { code: "resource_missing", reason: "The gateway does not know this payment." };
  }
  const { currency, received, refunds, disputes } = payment;
  if (disputes.some((dispute) => !dispute.is_refundable)) {
    return {
      code: "charge_disputed",
      reason: "The buyer's bank disputes this payment, so the gateway cannot refund it.",
    };
  }
  const known = new Set(ledger.map(({ id }) => id));
  const counted = refunds.filter(({ state }) => state !== "failed");
  if (counted.some(({ transaction_id: id }) => id !== null && !known.has(id))) return null;
  const left = counted.reduce((sum, refund) => sum - refund.amount, received);
  if (amount <= left) return null;
  return left <= 0
    ? {
        code: "charge_already_refunded",
        reason: "This payment has already been refunded at the gateway.",
      }
    : {
        code: "amount_too_large",
        reason: `Only ${writtenAmount(left, currency, "en")} of this payment is left to refund at the gateway.`,
      };
}
