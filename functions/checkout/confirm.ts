import { OrderProof } from "#shared/auth/order-proof.ts";
import { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { provenOrder } from "#shared/http/proven-order.ts";
import { optionalCustomer, route } from "#shared/http/route.ts";
import { reconcileThrottled } from "#shared/application/payment/reconcile-throttled.ts";
import { openPayments } from "#shared/application/payment/begin-payment.ts";
import type { Deps } from "./deps.ts";
import { OrderParams, answerOfReconciled, currentAnswer, openOrder } from "./own-order.ts";

export const confirmPayment = route({
  method: "POST",
  path: "/checkout/{order}/confirm",
  summary: "Confirm an order's payment",
  description:
    "Reads the payment's state from the gateway, and creates a payment if the order has none. " +
    "Safe to repeat: within 5 seconds the gateway is not called again and the current order is " +
    "returned. For cash on delivery and bank transfer, returns the current state. Returns 409 " +
    "`payment_mismatch` if the amount or currency of the payment is not what the order requires, " +
    "and 503 if the gateway does not answer. A guest sends the token of the cart, the order or " +
    "the mailed link.",
  access: optionalCustomer,
  limit: "payment",
  request: { params: OrderParams, headers: OrderProof },
  response: { status: 200, data: ConfirmAnswer },
  errors: ["payment_mismatch"],
  first: (call, deps: Deps) => openOrder(call, deps),
  async handle(call, deps) {
    const [found, settings] = call.first;
    const { now } = call;
    const record = provenOrder(found, call);
    const gateway = mayHaveNews(record) ? await deps.gateways.configured() : null;
    if (!gateway) return { data: currentAnswer(record, { settings, now }) };
    // A balance is only paid on the buyer's request.
    const begins = settings.payments.gateway.enabled && record.order.status === "pending_payment";
    const reconciled = await reconcileThrottled(deps, record, gateway, { begins, now });
    return { data: answerOfReconciled(reconciled, gateway, { settings, now }) };
  },
});

/** Whether the payment's state at the gateway may differ from its state in the order. */
function mayHaveNews(record: OrderRecord): boolean {
  const { payment_method, status } = record.order;
  if (payment_method !== "gateway") return false;
  return status === "pending_payment" || openPayments(record).length > 0;
}

export const routes = [confirmPayment];
