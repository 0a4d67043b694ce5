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
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { targetOf } from "./patch-order.ts";
import { type OrderDeps, type OrderStep, stepOrder } from "./step-order.ts";
import type { Booked, BookingCall } from "./step-order-once.ts";
import { type RefundPorts, stepWithRefunds } from "./step-with-refunds.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";

/**
 * Refunds an order, once per idempotency key. Gateway payments are refunded through the gateway before the answer, unless
 * it is unreachable.
 *
 * @returns the order after the refunds, and the refunds of this request
 * @throws AppError as `stepWithRefunds`, `validation_failed`
 */
export function refundOrder(
  call: BookingCall & { readonly body: RefundInput },
  deps: RefundPorts,
): Promise<Booked & { readonly refunds: Transaction[] }> {
  const id = newId("txn", call.now);
  return stepWithRefunds(call, deps, {
    what: "refund",
    id,
    step: refundStep(call.body, id),
    selects: ({ batch_id }, first) => batch_id === first,
  });
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

/** The refusal of what would leave nothing to send of an order of which nothing was sent. */
export const cancelInstead = ({ order: { status } }: OrderRecord) =>
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
