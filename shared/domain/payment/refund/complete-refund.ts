import { changeOf } from "../../order/order-change.ts";
import type { OrderRecord } from "../../order/order.ts";
import type { StaffStep } from "../../order/order-step.ts";
import type { LedgerRow, Transaction } from "../payment.ts";
import { awaitsReference } from "./refunds.ts";
import { refundStep } from "../gateway/reconcile-payment.ts";

/** Records that staff have made a refund in cash or by transfer. */
export function completeRefund(
  record: OrderRecord,
  transactionId: string,
  reference: string,
  now: Date,
): StaffStep {
  const { order, rows } = record;
  const row = rows.transactions.find(({ id, type }) => id === transactionId && type === "refund");
  if (!row) return { kind: "unknown" };
  if (row.state === "succeeded" && row.provider_ref === reference) return { kind: "already" };
  if (row.method === "gateway") {
    return refused(row, "The gateway completes its refunds itself.");
  }
  if (row.state !== "pending") return refused(row, "This refund already has another reference.");

  const after: LedgerRow = {
    ...row,
    state: "succeeded",
    provider_ref: reference,
    at: now.toISOString(),
  };
  const waiting = rows.transactions.some((other) => other.id !== row.id && awaitsReference(other));
  const attention = order.attention.filter(({ code }) => code !== "refund_to_make");
  return {
    kind: "changed",
    change: changeOf(
      record,
      {
        transactions: [after],
        ...refundStep(record, row, after),
        ...(!waiting && { set: { attention } }),
      },
      now,
    ),
  };
}

const refused = ({ state }: Transaction, message: string) =>
  ({ kind: "refused", from: state, message }) as const;
