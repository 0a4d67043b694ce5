/** The bank's reason for declining, as shown to the buyer. */
export interface Decline {
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
}

/** The outcome of a payment with a payment method. */
export type Behaviour =
  | {
      readonly kind: "pays";
      readonly refunds?: "late" | "fails_late";
      /** The buyer's bank disputes the payment soon after. */
      readonly isDisputed?: true;
    }
  | { readonly kind: "declines"; readonly decline: Decline }
  /** The buyer confirms the payment on the bank's page. */
  | { readonly kind: "asks_buyer" }
  /** `then: "never"` leaves the payment pending until a test completes it. */
  | { readonly kind: "takes_time"; readonly then: "succeeded" | "failed" | "never" };

const declines = (decline_code: string, message: string, code = "card_declined"): Behaviour => ({
  kind: "declines",
  decline: { code, decline_code, message },
});

/** Stripe's test payment methods, by id. */
export const paymentMethods: Readonly<Record<string, Behaviour>> = {
  pm_card_visa: { kind: "pays" },
  pm_card_mastercard: { kind: "pays" },
  pm_card_in: { kind: "pays" },
  pm_card_pendingRefund: { kind: "pays", refunds: "late" },
  pm_card_refundFail: { kind: "pays", refunds: "fails_late" },
  pm_card_createDispute: { kind: "pays", isDisputed: true },
  pm_card_chargeDeclined: declines("generic_decline", "Your card was declined."),
  pm_card_chargeDeclinedInsufficientFunds: declines(
    "insufficient_funds",
    "Your card has insufficient funds.",
  ),
  pm_card_chargeDeclinedExpiredCard: declines(
    "expired_card",
    "Your card has expired.",
    "expired_card",
  ),
  pm_card_authenticationRequired: { kind: "asks_buyer" },
  pm_usBankAccount_success: { kind: "takes_time", then: "succeeded" },
  pm_usBankAccount_insufficientFunds: { kind: "takes_time", then: "failed" },
  pm_usBankAccount_processing: { kind: "takes_time", then: "never" },
};
