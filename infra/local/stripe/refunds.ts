import { writtenAmount } from "#shared/domain/base/money.ts";
import { type StripeForm, requiredParam } from "./form.ts";
import {
  type AccountOptions,
  type Charge,
  type Refund,
  inSeconds,
  newStripeId,
} from "./objects.ts";
import { paymentMethods } from "./payment-methods.ts";
import { invalidRequest, missing } from "./refusal.ts";

interface RefundOptions extends Pick<AccountOptions, "emit" | "later" | "now"> {
  /** @throws Refusal if the payment does not exist */
  chargeOf(intentId: string): Charge | undefined;
  /** Whether a bank has taken the payment's money back, or may do so. */
  isDisputed(intentId: string): boolean;
}

/** Refunds of an account's charges. */
export function openRefunds({ emit, later, now, chargeOf, isDisputed }: RefundOptions) {
  const refunds = new Map<string, Refund>();

  function refund(form: StripeForm): Refund {
    const intentId = requiredParam(form.text("payment_intent"), "payment_intent");
    const charged = chargeOf(intentId);
    if (charged?.status !== "succeeded") {
      throw invalidRequest("This PaymentIntent does not have a successful charge to refund.");
    }
    if (isDisputed(intentId)) {
      throw invalidRequest(`Charge ${charged.id} has been charged back; cannot issue a refund.`, {
        code: "charge_disputed",
      });
    }
    const left = charged.amount_captured - charged.amount_refunded;
    const amount = form.amount("amount") ?? left;
    if (left === 0) {
      throw invalidRequest(`Charge ${charged.id} has already been refunded.`, {
        code: "charge_already_refunded",
      });
    }
    if (amount > left) {
      const written = (of: number) => writtenAmount(of, charged.currency.toUpperCase(), "en");
      throw invalidRequest(
        `Refund amount (${written(amount)}) is greater than unrefunded amount on charge (${written(left)})`,
      );
    }
    const behaviour = paymentMethods[charged.payment_method];
    const course = behaviour?.kind === "pays" ? behaviour.refunds : undefined;
    const made: Refund = {
      id: newStripeId("re"),
      object: "refund",
      amount,
      currency: charged.currency,
      status: course === "late" ? "pending" : "succeeded",
      charge: charged.id,
      payment_intent: intentId,
      metadata: form.record("metadata"),
      reason: form.text("reason") ?? null,
      created: inSeconds(now()),
    };
    refunds.set(made.id, made);
    count(charged, amount);
    emit("refund.created", made);
    emit("charge.refunded", charged);
    if (course) {
      later(() => completeRefund(made, course === "late" ? "succeeded" : "failed"));
    }
    return made;
  }

  /** A refund that fails returns the money to the shop, even if the refund had succeeded before. */
  function completeRefund(made: Refund, outcome: "succeeded" | "failed"): Refund {
    if (made.status === "failed" || made.status === outcome) return made;
    made.status = outcome;
    if (outcome === "failed") {
      made.failure_reason = "expired_or_canceled_card";
      const charged = chargeOf(made.payment_intent);
      if (charged) count(charged, -made.amount);
      emit("refund.failed", made);
    }
    emit("refund.updated", made);
    return made;
  }

  const newestRefunds = (intentId?: string) =>
    Array.from(refunds.values())
      .filter((each) => intentId === undefined || each.payment_intent === intentId)
      .toReversed();

  return {
    refund,
    completeRefund,
    newestRefunds,
    findRefund(id: string): Refund {
      const refund = refunds.get(id);
      if (!refund) throw missing("refund", id, "id");
      return refund;
    },
  };
}

function count(charge: Charge, refunded: number): void {
  charge.amount_refunded += refunded;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
}
