import { type StripeForm, requiredParam } from "./form.ts";
import {
  type AccountOptions,
  type Charge,
  type Intent,
  inSeconds,
  newStripeId,
} from "./objects.ts";
import { type Decline, paymentMethods } from "./payment-methods.ts";
import { openDisputes } from "./disputes.ts";
import { openRefunds } from "./refunds.ts";
import { writtenAmount } from "#shared/domain/base/money.ts";
import { minimumCharge } from "#shared/domain/pricing/payment-methods.ts";
import { StripeRefusal, invalidRequest, missing } from "./refusal.ts";

export type StripeAccount = ReturnType<typeof openAccount>;

/** Stripe's records of a shop: payments, charges and refunds. */
export function openAccount({ emit, later, pageOf, now }: AccountOptions) {
  const intents = new Map<string, Intent>();
  const charges = new Map<string, Charge>();

  const find = (id: string): Intent => {
    const intent = intents.get(id);
    if (!intent) throw missing("payment_intent", id, "intent");
    return intent;
  };

  const chargeOf = (intentId: string): Charge | undefined => {
    const intent = intents.get(intentId);
    if (!intent) throw missing("payment_intent", intentId, "payment_intent");
    return charges.get(intent.latest_charge ?? "");
  };

  const disputes = openDisputes({ emit, now, chargeOf });
  const isDisputed = (intentId: string): boolean =>
    disputes.newestDisputes(intentId).some((each) => !each.is_charge_refundable);

  function create(form: StripeForm): Intent {
    const id = newStripeId("pi");
    const amount = requiredParam(form.amount("amount"), "amount");
    refuseAmount(amount, requiredParam(form.text("currency"), "currency"));
    const intent: Intent = {
      id,
      object: "payment_intent",
      amount,
      amount_received: 0,
      currency: requiredParam(form.text("currency"), "currency"),
      status: "requires_payment_method",
      client_secret: `${id}_secret_${newStripeId("").slice(1)}`,
      metadata: form.record("metadata"),
      description: form.text("description") ?? null,
      receipt_email: form.text("receipt_email") ?? null,
      capture_method: "automatic_async",
      payment_method: null,
      last_payment_error: null,
      latest_charge: null,
      next_action: null,
      canceled_at: null,
      created: inSeconds(now()),
      livemode: false,
    };
    intents.set(id, intent);
    emit("payment_intent.created", intent);
    return intent;
  }

  function confirm(intent: Intent, form: StripeForm): Intent {
    if (intent.status !== "requires_payment_method" && intent.status !== "requires_action") {
      throw unexpectedState(intent, "confirm");
    }
    const method = requiredParam(
      form.text("payment_method") ?? intent.payment_method ?? undefined,
      "payment_method",
    );
    const behaviour = paymentMethods[method];
    if (!behaviour) throw missing("PaymentMethod", method, "payment_method");
    Object.assign(intent, { payment_method: method, last_payment_error: null, next_action: null });
    switch (behaviour.kind) {
      case "pays":
        succeed(intent);
        if (behaviour.isDisputed) later(() => disputes.dispute(intent.id));
        break;
      case "declines":
        decline(intent, behaviour.decline);
        throw new StripeRefusal(402, {
          type: "card_error",
          ...behaviour.decline,
          payment_intent: structuredClone(intent),
        });
      case "asks_buyer":
        intent.status = "requires_action";
        intent.next_action = {
          type: "redirect_to_url",
          redirect_to_url: { url: pageOf(intent.id), return_url: form.text("return_url") ?? null },
        };
        emit("payment_intent.requires_action", intent);
        break;
      case "takes_time": {
        const { then } = behaviour;
        intent.status = "processing";
        charge(intent, { status: "pending" });
        emit("payment_intent.processing", intent);
        if (then !== "never") later(() => complete(intent, then));
      }
    }
    return intent;
  }

  /** Completes an action of the buyer or the bank. Does nothing if none is pending. */
  function complete(intent: Intent, outcome: "succeeded" | "failed"): Intent {
    if (intent.status !== "processing" && intent.status !== "requires_action") return intent;
    if (outcome === "succeeded") succeed(intent);
    else if (intent.status === "processing") decline(intent, bankSaysNo);
    else {
      fail(intent, {
        type: "invalid_request_error",
        code: "payment_intent_authentication_failure",
        message: "The provided PaymentMethod has failed authentication.",
      });
    }
    return intent;
  }

  function charge(intent: Intent, outcome: Partial<Charge>): Charge {
    const open = charges.get(intent.latest_charge ?? "");
    const made: Charge =
      open?.status === "pending"
        ? open
        : {
            id: newStripeId("ch"),
            object: "charge",
            amount: intent.amount,
            amount_captured: 0,
            amount_refunded: 0,
            currency: intent.currency,
            status: "pending",
            paid: false,
            refunded: false,
            disputed: false,
            payment_intent: intent.id,
            payment_method: intent.payment_method ?? "",
            failure_code: null,
            failure_message: null,
            metadata: { ...intent.metadata },
            created: inSeconds(now()),
            livemode: false,
          };
    Object.assign(made, outcome);
    charges.set(made.id, made);
    intent.latest_charge = made.id;
    return made;
  }

  function succeed(intent: Intent): void {
    const { amount } = intent;
    const made = charge(intent, { status: "succeeded", paid: true, amount_captured: amount });
    Object.assign(intent, { status: "succeeded", amount_received: amount, next_action: null });
    emit("charge.succeeded", made);
    emit("payment_intent.succeeded", intent);
  }

  function decline(intent: Intent, because: Decline): void {
    const { code, message } = because;
    const made = charge(intent, {
      status: "failed",
      failure_code: code,
      failure_message: message,
    });
    emit("charge.failed", made);
    fail(intent, { type: "card_error", ...because });
  }

  function fail(intent: Intent, error: Intent["last_payment_error"]): void {
    Object.assign(intent, {
      status: "requires_payment_method",
      payment_method: null,
      last_payment_error: error,
      next_action: null,
    });
    emit("payment_intent.payment_failed", intent);
  }

  function cancel(intent: Intent): Intent {
    if (intent.status !== "requires_payment_method" && intent.status !== "requires_action") {
      throw unexpectedState(intent, "cancel");
    }
    Object.assign(intent, {
      status: "canceled",
      canceled_at: inSeconds(now()),
      next_action: null,
    });
    emit("payment_intent.canceled", intent);
    return intent;
  }

  return {
    create,
    find,
    confirm,
    complete,
    cancel,
    findCharge: (id: string) => charges.get(id),
    ...openRefunds({ emit, later, now, chargeOf, isDisputed }),
    ...disputes,
  };
}

/** Currencies with three decimals, whose last digit must be 0. */
const inTens = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);

/** @throws Refusal as Stripe refuses amounts that are too small, or too fine for a currency with three decimals */
function refuseAmount(amount: number, currency: string): void {
  const code = currency.toUpperCase();
  const least = minimumCharge(code);
  if (amount < least) {
    throw invalidRequest(
      `Amount must be at least ${writtenAmount(least, code, "en")} ${currency}`,
      {
        code: "amount_too_small",
      },
    );
  }
  if (inTens.has(currency) && amount % 10 !== 0) {
    throw invalidRequest(`Amounts in ${code} must be evenly divisible by 10.`, { param: "amount" });
  }
}

const bankSaysNo: Decline = {
  code: "payment_method_provider_decline",
  decline_code: "insufficient_funds",
  message: "The bank account has insufficient funds.",
};

const unexpectedState = (intent: Intent, action: string) =>
  new StripeRefusal(400, {
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message: `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: structuredClone(intent),
  });
