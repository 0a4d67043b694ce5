import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderChange } from "#shared/domain/order/order-change.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { amountToPay, isPayable, openCharges } from "#shared/domain/payment/payment.ts";
import type { PaymentMethod, Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import {
  reconcileNow,
  reconcileThrottled,
} from "#shared/application/payment/reconcile-throttled.ts";
import { openPayments } from "#shared/application/payment/begin-payment.ts";
import { reconcileOrder } from "#shared/application/payment/reconcile-order.ts";
import { type OrderDeps, stepOrder } from "#shared/application/payment/step-order.ts";
import type { Deps } from "./deps.ts";
import { answerOfReconciled, currentAnswer } from "./own-order.ts";

/** An order and the payment method that its buyer chose. */
export interface PaymentRequest {
  readonly record: OrderRecord;
  readonly settings: Pick<Settings, "payments" | "shipping" | "store">;
  readonly now: Date;
}

type PayDeps = OrderDeps & Pick<Deps, "gateways">;

/** Uses the order's gateway payment, or opens a new one. If the gateway does not answer, the order is unchanged. */
export async function payByGateway(request: PaymentRequest, deps: PayDeps): Promise<ConfirmAnswer> {
  const { record, settings, now } = request;
  const gateway = await deps.gateways.current(settings.payments);
  const change = changeTo("gateway", request, gateway !== null);
  // Throws if the method is not offered, before the gateway is called.
  change(record);
  const ask = isRepeat(record) ? reconcileThrottled : reconcileNow;
  if (!gateway) return currentAnswer(record, request);
  const reconciled = await ask(deps, record, gateway, { begins: true, now });
  const latest = reconciled.agreed
    ? await applyUnlessPaid(change, reconciled.record, request, deps)
    : reconciled.record;
  return answerOfReconciled({ ...reconciled, record: latest }, gateway, request);
}

/** Whether the gateway was called before for the payment that is due next. */
function isRepeat({ order, rows }: OrderRecord): boolean {
  if (order.payment_method !== "gateway") return false;
  const amount = amountToPay(order);
  return (
    order.status === "pending_payment" ||
    openCharges(rows.transactions).some((charge) => charge.amount === amount)
  );
}

/**
 * Changes the order to a payment method without a gateway. Open gateway payments are cancelled first, so that nobody
 * pays twice.
 */
export async function payByOtherMethod(
  request: PaymentRequest,
  method: Exclude<PaymentMethod, "gateway">,
  deps: PayDeps,
): Promise<ConfirmAnswer> {
  const { record } = request;
  const change = changeTo(method, request, false);
  const isChange = change(record) !== undefined;
  const latest = isChange
    ? await applyUnlessPaid(change, await endPayments(request, deps), request, deps)
    : record;
  return currentAnswer(latest, request);
}

/** Cancels the order's open gateway payments. Returns the order, which may have been paid meanwhile. */
async function endPayments({ record, now }: PaymentRequest, deps: PayDeps): Promise<OrderRecord> {
  const open = openPayments(record);
  const gateway = open.length > 0 ? await deps.gateways.configured() : null;
  if (!gateway) return record;
  let latest = record;
  for (const paymentId of open) {
    const payment = await gateway.cancel(paymentId);
    if (!payment) continue;
    const settled = await reconcileOrder(deps, record.order.id, payment, { now, first: latest });
    if (settled?.agreed === false) throw new AppError("payment_mismatch");
    latest = settled?.record ?? latest;
    if (payment.state === "processing") {
      throw new AppError("in_progress", {
        message: "Your bank is still processing your payment. Please try again shortly.",
      });
    }
  }
  return latest;
}

/** Applies the change, unless the order, or the part that the buyer wants to pay, was paid meanwhile. */
async function applyUnlessPaid(
  change: (record: OrderRecord) => OrderChange | undefined,
  first: OrderRecord,
  { record, now }: PaymentRequest,
  deps: PayDeps,
): Promise<OrderRecord> {
  const { status } = record.order;
  const isPaid = ({ order }: OrderRecord) =>
    status === "pending_payment" ? order.status === "confirmed" : !isPayable(order);
  const step = (latest: OrderRecord) => (isPaid(latest) ? undefined : change(latest));
  return (await stepOrder(deps, { id: first.order.id, now, first }, step)) ?? first;
}

/**
 * Returns a function that changes an order's payment method. That function returns undefined if nothing changes.
 *
 * The returned function throws AppError: `validation_failed` on `payment_method` if the method is not offered for this
 * order, `invalid_transition` if the order no longer awaits payment.
 */
function changeTo(to: PaymentMethod, { settings, now }: PaymentRequest, gatewayReady: boolean) {
  return (record: OrderRecord): OrderChange | undefined => {
    const verdict = changePaymentMethod(record, to, { settings, gatewayReady, now });
    switch (verdict.kind) {
      case "same":
        return undefined;
      case "changed":
        return verdict.change;
      case "not_offered":
        throw invalidField("payment_method", verdict.message);
      case "refused":
        throw new AppError("invalid_transition", {
          message: verdict.message,
          details: {
            from: record.order.status,
            to: to === "cod" ? "confirmed" : "pending_payment",
            // The buyer must not see which transitions staff could make.
            allowed: [],
          },
        });
    }
  };
}
