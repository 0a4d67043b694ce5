import type { Shop } from "#shared/application/shop.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import type * as z from "zod";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import {
  type GatewayAnswer,
  GatewayAnswers,
  releaseGatewayRequest,
  keepAnswer,
  claimGatewayRequest,
} from "#shared/storage/payment/gateway-answers.ts";
import { type Pause, wait } from "#shared/runtime/pause.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import { openPayments, beginPayment } from "./begin-payment.ts";
import type { PaymentGateway, PayablePayment } from "#shared/payments/gateway.ts";
import { isPayable } from "#shared/domain/payment/owing.ts";
import { reconcileOrder } from "./reconcile-order.ts";

/** How long the gateway's last answer about an order is reused. */
const minIntervalMs = 5_000;
/** How many times a request reads the store for the answer that a concurrent request is waiting for. */
const answerTries = 20;
const answerPauseMs = 150;

interface ReconcileOptions {
  /** Whether to open a payment for an order that waits for one and has none. */
  readonly begins: boolean;
  readonly now: Date;
  /** Waits between two reads of the stored answer; tests replace it. */
  readonly pause?: Pause;
}

/**
 * Calls `reconcileWithGateway` for requests that anybody may repeat: the gateway is asked about one order at most every
 * 5 seconds. In between, the stored order and the gateway's last answer are returned.
 *
 * @throws Unavailable when the gateway cannot be reached
 */
export async function reconcileThrottled(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now, pause = wait }: ReconcileOptions,
): Promise<ReconciledOrder> {
  const { id } = record.order;
  return releasing(shop, id, async () => {
    const claim = claimGatewayRequest(id, now, minIntervalMs);
    const mayAsk = await unlessRefused(shop.table.write(claim));
    if (!mayAsk) return lastAnswer(shop, record, pause);
    return reconcileAndStore(shop, record, gateway, { begins, now });
  });
}

/** Asks the gateway without the 5-second limit: for a buyer who changes the payment method. */
export async function reconcileNow(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: ReconcileOptions,
): Promise<ReconciledOrder> {
  const { id } = record.order;
  return releasing(shop, id, async () => {
    await unlessRefused(shop.table.write(claimGatewayRequest(id, now, 0)));
    return reconcileAndStore(shop, record, gateway, { begins, now });
  });
}

async function reconcileAndStore(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: ReconcileOptions,
): Promise<ReconciledOrder> {
  const reconciled = await reconcileWithGateway(shop, record, gateway, { begins, now });
  const answer = answerOf(reconciled, now);
  await shop.table.write(keepAnswer(record.order.id, answer, wasOpened(record, reconciled)));
  return reconciled;
}

/**
 * Releases the claim of a request that fails, so that a repeat may ask the gateway. The claim may stand even if the
 * answer to its write was lost.
 */
async function releasing<Result>(
  { table }: Shop<"table">,
  orderId: string,
  request: () => Promise<Result>,
): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    await table.write(releaseGatewayRequest(orderId)).catch(() => undefined);
    throw error;
  }
}

/** Whether the call opened a payment. Its buyer may pay and confirm at once, so the next call asks the gateway again. */
const wasOpened = ({ rows }: OrderRecord, { payment }: ReconciledOrder): boolean =>
  payment !== undefined &&
  !rows.transactions.some(({ provider_ref }) => provider_ref === payment.id);

const answerOf = ({ agreed, payment }: ReconciledOrder, now: Date): GatewayAnswer => ({
  asked_at: now.toISOString(),
  agreed,
  payment: payment
    ? { id: payment.id, state: payment.state, client_secret: payment.clientSecret }
    : null,
});

/** Whether another request has asked, and has no answer yet. */
const isAwaited = (row: z.output<typeof GatewayAnswers.schema> | undefined): boolean =>
  row?.asked_at !== undefined && row.asked_at !== row.answer?.asked_at;

/**
 * The stored order with the gateway's last answer. If a concurrent request is still waiting for an answer, this
 * function waits too.
 */
async function lastAnswer(
  shop: Shop<"table">,
  record: OrderRecord,
  pause: Pause,
): Promise<ReconciledOrder> {
  const { id } = record.order;
  let row = await shop.table.get(GatewayAnswers, { order_id: id });
  for (let tries = 1; isAwaited(row) && tries < answerTries; tries++) {
    await pause(answerPauseMs);
    row = await shop.table.get(GatewayAnswers, { order_id: id });
  }
  const latest = (await openOrders(shop.table).find(id)) ?? record;
  const answer = row?.answer;
  const payment = answer?.payment;
  // If the buyer chose another payment method after the answer, the answer's payment is cancelled and cannot be paid.
  const counts = payment != null && openPayments(latest).includes(payment.id);
  return {
    record: latest,
    agreed: answer?.agreed ?? true,
    payment: counts
      ? { id: payment.id, state: payment.state, clientSecret: payment.client_secret }
      : undefined,
  };
}

/** An order, reconciled with the gateway. */
export interface ReconciledOrder {
  readonly record: OrderRecord;
  /** The payment that was reconciled last; undefined if the gateway knows of none. */
  readonly payment: Pick<PayablePayment, "id" | "state" | "clientSecret"> | undefined;
  /** False if the gateway's payment does not match the order. */
  readonly agreed: boolean;
}

/**
 * Reconciles an order with the current state of its payments at the gateway.
 *
 * @param begins whether to open a payment for an order that waits for one and has none
 * @throws Unavailable when the gateway cannot be reached
 */
export async function reconcileWithGateway(
  shop: Shop<"table">,
  record: OrderRecord,
  gateway: PaymentGateway,
  { begins, now }: { begins: boolean; now: Date },
): Promise<ReconciledOrder> {
  if (begins && isPayable(record.order)) {
    const begun = await beginPayment(shop, record, gateway, now);
    return reconcileOne(shop, begun.record, begun.payment, now);
  }
  let reconciled: ReconciledOrder = { record, payment: undefined, agreed: true };
  for (const paymentId of openPayments(record)) {
    const payment = await gateway.find(paymentId);
    if (!payment) continue;
    const next = await reconcileOne(shop, reconciled.record, payment, now);
    reconciled = { ...next, agreed: reconciled.agreed && next.agreed };
  }
  return reconciled;
}

async function reconcileOne(
  shop: Shop<"table">,
  record: OrderRecord,
  payment: PayablePayment,
  now: Date,
): Promise<ReconciledOrder> {
  return { ...(await reconcileOrder(shop, record, payment, now)), payment };
}
