import type { OrderRecord } from "#shared/domain/order/order.ts";
import type { Transaction } from "#shared/domain/payment/payment.ts";
import { openGatewayRefunds } from "#shared/domain/payment/refunds.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import { makeRefunds } from "#shared/application/payment/reconcile-order.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import {
  RefundClaims,
  claimRefund,
  endRefundClaim,
} from "#shared/storage/payment/refund-claims.ts";
import type { Deps } from "./deps.ts";

/** The refunds of one request. */
export const inBatch = ({ rows }: OrderRecord, batchId: string): Transaction[] =>
  rows.transactions.filter(({ batch_id }) => batch_id === batchId);

export const waitsForGateway = (record: OrderRecord, batchId: string): boolean =>
  openGatewayRefunds(inBatch(record, batchId)).length > 0;

/**
 * Claims a batch of refunds that an earlier request did not finish.
 *
 * @throws AppError `in_progress` while another request holds the claim
 */
export async function claimBatch(
  { table }: Pick<Deps, "table">,
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
export async function finishBatch(
  deps: Pick<Deps, "table" | "orders" | "gateway" | "log">,
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
