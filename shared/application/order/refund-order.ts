import {
  type ExpectedVersion,
  invalidField,
  invalidFields,
  orNotFound,
  requireVersion,
  AppError,
} from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { completeRefund } from "#shared/domain/payment/complete-refund.ts";
import { type RefundInput, planRefund } from "#shared/domain/payment/plan-refund.ts";
import type { PaymentGateway } from "#shared/payments/gateway.ts";
import type { Log } from "#shared/runtime/log.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { targetOf } from "./patch-order.ts";
import { type FurtherWrites, type OrderDeps, type OrderStep, stepOrder } from "./step-order.ts";
import { type Booked, type BookingCall, stepOnce } from "./step-order-once.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refunds.ts";
import { makeRefunds } from "#shared/application/payment/reconcile-order.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  RefundClaims,
  claimRefund,
  endRefundClaim,
} from "#shared/storage/payment/refund-claims.ts";

interface RefundPorts extends OrderDeps {
  /** Null if no gateway is configured. */
  gateway(): Promise<PaymentGateway | null>;
  readonly log: Pick<Log, "warn">;
}

/**
 * Refunds an order, once per idempotency key. Gateway payments are refunded through the gateway before the answer, unless
 * it is unreachable.
 *
 * @returns the order after the refunds, and the refunds of this request
 * @throws AppError as `stepOnce`, `validation_failed`, `in_progress` while another request makes the same refunds
 */
export async function refundOrder(
  call: BookingCall & { readonly body: RefundInput },
  deps: RefundPorts,
): Promise<Booked & { readonly refunds: Transaction[] }> {
  const { now } = call;
  const id = newId("txn", now);
  const step = refundStep(call.body, id);
  const furtherWrites: FurtherWrites = ({ transactions }) =>
    openGatewayRefunds(transactions).length > 0 ? [claimRefund(id, now)] : [];
  const booked = await stepOnce(call, deps, { what: "refund", id, step, furtherWrites });
  const { id: batchId, replayed } = booked;
  let { record } = booked;
  if (waitsForGateway(record, batchId)) {
    if (replayed) await claimBatch(deps, batchId, now);
    record = await finishBatch(deps, record, batchId, now);
  }
  return { ...booked, record, refunds: inBatch(record, batchId) };
}

/** @param batchId id of the first refund of the request */
function refundStep(body: RefundInput, batchId: string): OrderStep {
  return (record, context) => {
    const ids = [batchId];
    const newTransactionId = () => ids.pop() ?? context.newTransactionId();
    if (!context.stockAvailable) {
      throw invalidField(
        "items",
        "These items cannot be taken off: the inventory reserves too few of their units. Correct the stock first.",
      );
    }
    const outcome = planRefund(record, body, { now: context.now, newTransactionId });
    if (outcome.kind === "refused") throw invalidFields(outcome.problems);
    if (outcome.kind === "everything") throw cancelInstead(record);
    return outcome.change;
  };
}

const cancelInstead = ({ order: { status } }: OrderRecord) =>
  new AppError("invalid_transition", {
    message: "Nothing of this order would be left to send. Cancel the order instead.",
    details: { from: status, to: "cancelled", allowed: ["cancelled"] },
  });

/**
 * Records that staff have made a refund in cash or by transfer.
 *
 * @param found the order, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`, `invalid_transition`
 */
export async function recordRefund(
  call: EditCall<{ readonly reference: string }, "id" | "transaction">,
  found: OrderRecord | undefined,
  deps: OrderDeps,
): Promise<{ readonly record: OrderRecord; readonly refund: Transaction }> {
  const { params, body, now } = call;
  const first = orNotFound(found);
  const step = completionStep(params.transaction, body.reference, call.headers["if-match"]);
  const states = { after: { transaction: params.transaction, ...body } };
  const furtherWrites = () => [
    recordActivity(auditContextOf(call), "order.refund_made", targetOf(first.order), states),
  ];
  const record = orNotFound(
    await stepOrder(deps, { id: params.id, now, first, furtherWrites }, step),
  );
  const refund = orNotFound(record.rows.transactions.find(({ id }) => id === params.transaction));
  return { record, refund };
}

function completionStep(id: string, reference: string, expected: ExpectedVersion): OrderStep {
  return (record, { now }) => {
    const outcome = completeRefund(record, id, reference, now);
    if (outcome.kind === "unknown") throw new AppError("not_found");
    if (outcome.kind === "already") return undefined;
    requireVersion(expected, record.order.version);
    if (outcome.kind === "completed") return outcome.change;
    throw new AppError("invalid_transition", {
      message: outcome.message,
      details: { from: outcome.from, to: "succeeded", allowed: [] },
    });
  };
}

/** The refunds of one request. */
const inBatch = ({ rows }: OrderRecord, batchId: string): Transaction[] =>
  rows.transactions.filter(({ batch_id }) => batch_id === batchId);

const waitsForGateway = (record: OrderRecord, batchId: string): boolean =>
  openGatewayRefunds(inBatch(record, batchId)).length > 0;

/**
 * Claims a batch of refunds that an earlier request did not finish.
 *
 * @throws AppError `in_progress` while another request holds the claim
 */
async function claimBatch(
  { table }: Pick<RefundPorts, "table">,
  batchId: string,
  now: Date,
): Promise<void> {
  await table.write({
    write: claimRefund(batchId, now),
    refused({ first }) {
      const until = RefundClaims.schema.safeParse(first.conflictingItem).data?.until;
      const seconds = until ? Math.ceil((Date.parse(until) - now.getTime()) / 1000) : 1;
      return new AppError("in_progress", {
        message: "This refund is being processed by the gateway. Please try again shortly.",
        headers: { "Retry-After": String(Math.max(1, seconds)) },
      });
    },
  });
}

/**
 * Sends a claimed batch of refunds to the gateway, then releases the claim. Refunds that got no answer from the gateway
 * stay pending and are retried by the order's scheduled check.
 */
async function finishBatch(
  deps: RefundPorts,
  record: OrderRecord,
  batchId: string,
  now: Date,
): Promise<OrderRecord> {
  try {
    const gateway = await deps.gateway();
    if (!gateway) return record;
    return await makeRefunds(deps, record, gateway, {
      now,
      selects: (row) => row.batch_id === batchId,
    });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    deps.log.warn("Refund not completed: the order's scheduled check retries it", {
      order_id: record.order.id,
      batch_id: batchId,
      cause: error.message,
    });
    return (await deps.orders.find(record.order.id)) ?? record;
  } finally {
    // A claim that is not released expires.
    await deps.table.write(endRefundClaim(batchId)).catch(() => undefined);
  }
}
