import * as z from "zod";
import { completeRefund } from "#shared/domain/payment/complete-refund.ts";
import { newId } from "#shared/domain/base/ids.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";
import { Transaction } from "#shared/domain/payment/payment.ts";
import { RefundInput, planRefund } from "#shared/domain/payment/plan-refund.ts";
import { Reference } from "#shared/domain/payment/record-payment.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refunds.ts";
import { AdminOrder, adminOrder } from "#shared/domain/order/admin-order.ts";
import {
  type ExpectedVersion,
  AppError,
  invalidField,
  invalidFields,
  orNotFound,
  requireVersion,
} from "#shared/domain/request/app-error.ts";
import { byId, ifMatch } from "#shared/http/one-record.ts";
import { type Answer, type Call, route, staff } from "#shared/http/route.ts";
import { auditContextOf } from "#shared/application/audit-context.ts";
import {
  type FurtherWrites,
  type OrderStep,
  stepOrder,
} from "#shared/application/payment/step-order.ts";
import { recordActivity } from "#shared/storage/staff/activity.ts";
import { claimRefund } from "#shared/storage/payment/refund-claims.ts";
import type { Deps } from "./deps.ts";
import { finishBatch, inBatch, claimBatch, waitsForGateway } from "./make-refund.ts";
import { bookingHeaders, stepOnce } from "./step-once.ts";

const RefundAnswer = z.object({
  order: AdminOrder,
  refunds: z
    .array(Transaction)
    .meta({ description: "One refund for each charge that is refunded" }),
});
const example: z.input<typeof RefundInput> = {
  items: [{ id: "line_01JD0000000000000000000001", quantity: 1 }],
  restock: true,
  reason: "Scratched on arrival",
};

const answerOf = (
  record: OrderRecord,
  refunds: Transaction[],
  { permissions }: Pick<Call, "permissions">,
): Answer<z.input<typeof RefundAnswer>> => ({
  data: { order: adminOrder(record, permissions), refunds },
  version: record.order.version,
});

export const addRefund = route({
  method: "POST",
  path: "/admin/orders/{id}/refunds",
  summary: "Refund an order",
  description:
    "Refunds units of the order's lines, an amount, or both. The amount can be at most the " +
    "captured amount that was not refunded yet, and a unit can be refunded only once. Units that were not " +
    "sent yet are taken off the order: they leave their shipments and the stock is released. If that leaves " +
    "nothing of an order of which nothing was sent, 409 `invalid_transition` points to `cancelled`. Gateway " +
    "payments are refunded through the gateway before the response; if the gateway is slow or " +
    "unreachable, the refund is `pending` and completes automatically. If the gateway " +
    "refuses, the refund is `failed` and the order gets the attention flag `refund_failed`: " +
    "refund in another way, with `method`, then clear the flag with `PATCH " +
    "/admin/orders/{id}`. Refunds in cash or by transfer are `pending` until they have a reference. " +
    "While the gateway is processing the refund, a repeat returns 409 `in_progress`.",
  access: staff("orders.refund"),
  idempotent: "required",
  request: { params: byId, body: RefundInput.meta({ example }), headers: ifMatch },
  response: { status: 201, data: RefundAnswer, headers: ["ETag"] },
  errors: ["in_progress", "invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
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
    const answer = answerOf(record, inBatch(record, batchId), call);
    return { ...answer, headers: bookingHeaders(call, booked) };
  },
});

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

export const recordRefund = route({
  method: "PATCH",
  path: "/admin/orders/{id}/refunds/{transaction}",
  summary: "Complete a refund in cash or by transfer",
  description: "Repeating the call with the same reference changes nothing.",
  access: staff("orders.refund"),
  request: {
    params: byId.extend({ transaction: z.string().max(60) }),
    body: z
      .strictObject({ reference: Reference })
      .meta({ example: { reference: "AXISN25112100077" } }),
    headers: ifMatch,
  },
  response: { status: 200, data: RefundAnswer, headers: ["ETag"] },
  errors: ["invalid_transition", "version_mismatch"],
  first: ({ params }, { orders }: Deps) => orders.find(params.id),
  async handle(call, deps) {
    const { params, body, now } = call;
    const { transaction: id } = params;
    const first = orNotFound(call.first);
    const step = completionStep(id, body.reference, call.headers["if-match"]);
    const target = { kind: "order", id: params.id, label: first.order.number };
    const states = { after: { transaction: id, ...body } };
    const record = await stepOrder(
      deps,
      {
        id: params.id,
        now,
        first,
        furtherWrites: () => [
          recordActivity(auditContextOf(call), "order.refund_made", target, states),
        ],
      },
      step,
    );
    const after = orNotFound(record);
    const refunds = after.rows.transactions.filter((row) => row.id === id);
    return answerOf(after, refunds, call);
  },
});

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

export const routes = [addRefund, recordRefund];
