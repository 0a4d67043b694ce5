import {
  type AccountOptions,
  type Charge,
  type Dispute,
  inSeconds,
  newStripeId,
} from "./objects.ts";
import { invalidRequest, missing } from "./refusal.ts";

interface DisputeOptions extends Pick<AccountOptions, "emit" | "now"> {
  /** @throws Refusal if the payment does not exist */
  chargeOf(intentId: string): Charge | undefined;
}

/** Disputes of an account's charges. */
export function openDisputes({ emit, now, chargeOf }: DisputeOptions) {
  const disputes = new Map<string, Dispute>();

  return {
    /** The buyer's bank takes back what is left of a charge until the dispute is decided. */
    dispute(intentId: string): Dispute {
      const charged = chargeOf(intentId);
      if (charged?.status !== "succeeded")
        throw invalidRequest("This payment has no successful charge.");
      charged.disputed = true;
      const made: Dispute = {
        id: newStripeId("du"),
        object: "dispute",
        amount: charged.amount_captured - charged.amount_refunded,
        currency: charged.currency,
        status: "needs_response",
        reason: "fraudulent",
        charge: charged.id,
        payment_intent: intentId,
        is_charge_refundable: false,
        metadata: {},
        created: inSeconds(now()),
        livemode: false,
      };
      disputes.set(made.id, made);
      emit("charge.dispute.created", made);
      emit("charge.dispute.funds_withdrawn", made);
      return made;
    },
    closeDispute(id: string, outcome: "won" | "lost"): Dispute {
      const found = disputes.get(id);
      if (!found) throw missing("dispute", id, "id");
      found.status = outcome;
      found.is_charge_refundable = outcome === "won";
      if (outcome === "won") emit("charge.dispute.funds_reinstated", found);
      emit("charge.dispute.closed", found);
      return found;
    },
    newestDisputes: (intentId?: string): Dispute[] =>
      Array.from(disputes.values())
        .filter((each) => intentId === undefined || each.payment_intent === intentId)
        .toReversed(),
  };
}
