import type { Shop } from "#shared/application/shop.ts";
import type { ActionContext } from "#shared/domain/order/view/buyer-order.ts";
import { orderForBuyer, paymentOf } from "#shared/domain/order/view/order-view.ts";
import { isPayable } from "#shared/domain/payment/owing.ts";
import { type Payment, openCharges } from "#shared/domain/payment/payment.ts";
import { amountToCharge } from "#shared/domain/payment/rounding.ts";
import {
  type ReconciledOrder,
  reconcileNow,
  reconcileThrottled,
} from "#shared/application/payment/reconcile-with-gateway.ts";
import { gatewayPaymentOf } from "#shared/payments/gateway-payment-of.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import { changePaymentMethod } from "#shared/domain/checkout/change-payment-method.ts";
import type { ConfirmAnswer } from "#shared/domain/checkout/checkout.ts";
import type { OrderChange } from "#shared/domain/order/order-step.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { PaymentMethod, Settings } from "#shared/domain/settings/settings.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import { openPayments } from "#shared/application/payment/begin-payment.ts";
import { reconcileOrder } from "#shared/application/payment/reconcile-order.ts";
import { stepOrder } from "#shared/application/order/step-order.ts";

/** An order that its buyer pays. */
interface PaymentRequest {
  readonly record: OrderRecord;
  readonly settings: Pick<Settings, "payments" | "returns" | "shipping" | "store">;
  readonly now: Date;
}

/** Returns the payment's state at the gateway. Creates the payment if the order awaits one and has none. */
export async function confirmPayment(
  { record, settings, now }: PaymentRequest,
  shop: Shop<"table" | "gateways">,
): Promise<ConfirmAnswer> {
  const gateway = mayHaveNews(record) ? await shop.gateways.configured() : null;
  if (!gateway) return currentAnswer(record, { settings, now });
  // A balance is only paid on the buyer's request.
  const begins = settings.payments.gateway.enabled && record.order.status === "pending_payment";
  const reconciled = await reconcileThrottled(shop, record, gateway, { begins, now });
  return answerOfReconciled(reconciled, gateway, { settings, now });
}

/** Whether the payment's state at the gateway may differ from its state in the order. */
function mayHaveNews(record: OrderRecord): boolean {
  const { payment_method, status } = record.order;
  if (payment_method !== "gateway") return false;
  return status === "pending_payment" || openPayments(record).length > 0;
}

/** Pays with the chosen method, which may be the order's present one. */
export const payBy = (
  request: PaymentRequest,
  method: PaymentMethod,
  shop: Shop<"table" | "gateways">,
): Promise<ConfirmAnswer> =>
  method === "gateway" ? payByGateway(request, shop) : payByOtherMethod(request, method, shop);

/** Uses the order's gateway payment, or opens a new one. If the gateway does not answer, the order is unchanged. */
async function payByGateway(
  request: PaymentRequest,
  shop: Shop<"table" | "gateways">,
): Promise<ConfirmAnswer> {
  const { record, settings, now } = request;
  const gateway = await shop.gateways.current(settings.payments);
  const change = changeTo("gateway", request, gateway !== null);
  // Throws if the method is not offered, before the gateway is called.
  change(record);
  const ask = isRepeat(record) ? reconcileThrottled : reconcileNow;
  if (!gateway) return currentAnswer(record, request);
  const reconciled = await ask(shop, record, gateway, { begins: true, now });
  const latest = reconciled.agreed
    ? await applyUnlessPaid(change, reconciled.record, request, shop)
    : reconciled.record;
  return answerOfReconciled({ ...reconciled, record: latest }, gateway, request);
}

/** Whether the gateway was called before for the payment that is due next. */
function isRepeat({ order, rows }: OrderRecord): boolean {
  if (order.payment_method !== "gateway") return false;
  const amount = amountToCharge(order);
  return (
    order.status === "pending_payment" ||
    openCharges(rows.transactions).some((charge) => charge.amount === amount)
  );
}

/**
 * Changes the order to a payment method without a gateway. Open gateway payments are cancelled first, so that nobody
 * pays twice.
 */
async function payByOtherMethod(
  request: PaymentRequest,
  method: Exclude<PaymentMethod, "gateway">,
  shop: Shop<"table" | "gateways">,
): Promise<ConfirmAnswer> {
  const { record } = request;
  const change = changeTo(method, request, false);
  const isChange = change(record) !== undefined;
  const latest = isChange
    ? await applyUnlessPaid(change, await endPayments(request, shop), request, shop)
    : record;
  return currentAnswer(latest, request);
}

/** Cancels the order's open gateway payments. Returns the order, which may have been paid meanwhile. */
async function endPayments(
  { record, now }: PaymentRequest,
  shop: Shop<"table" | "gateways">,
): Promise<OrderRecord> {
  const open = openPayments(record);
  const gateway = open.length > 0 ? await shop.gateways.configured() : null;
  if (!gateway) return record;
  let latest = record;
  for (const paymentId of open) {
    const payment = await gateway.cancel(paymentId);
    if (!payment) continue;
    const settled = await reconcileOrder(shop, latest, payment, now);
    if (!settled.agreed) throw new AppError("payment_mismatch");
    latest = settled.record;
    if (payment.state === "processing") {
      throw new AppError("in_progress", {
        message: "Your bank is still processing your payment. Please try again shortly.",
      });
    }
  }
  return latest;
}

/** Applies the change, unless the order, or the part that the buyer wants to pay, was paid meanwhile. */
function applyUnlessPaid(
  change: (record: OrderRecord) => OrderChange | undefined,
  first: OrderRecord,
  { record, now }: PaymentRequest,
  shop: Shop<"table" | "gateways">,
): Promise<OrderRecord> {
  const { status } = record.order;
  const isPaid = ({ order }: OrderRecord) =>
    status === "pending_payment" ? order.status === "confirmed" : !isPayable(order);
  const step = (latest: OrderRecord) => (isPaid(latest) ? undefined : change(latest));
  return stepOrder(shop, first, now, step);
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

const answer = (record: OrderRecord, payment: Payment, context: ActionContext): ConfirmAnswer => ({
  order: orderForBuyer(record, context),
  payment,
});

/** The response for an order whose payment is not read from the gateway. */
const currentAnswer = (record: OrderRecord, context: ActionContext): ConfirmAnswer =>
  answer(record, paymentOf(record.order, context.settings.payments), context);

/**
 * @throws AppError `payment_mismatch` when the amount or currency of the gateway's payment is not what the order
 *   requires
 */
function answerOfReconciled(
  reconciled: ReconciledOrder,
  gateway: PaymentGateway,
  context: ActionContext,
): ConfirmAnswer {
  if (!reconciled.agreed) throw new AppError("payment_mismatch");
  const payment = gatewayPaymentOf(reconciled, gateway, context.settings.payments);
  return answer(reconciled.record, payment, context);
}
