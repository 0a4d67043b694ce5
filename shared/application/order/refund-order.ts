import type { Shop } from "#shared/application/shop.ts";
import { AppError, invalidField, invalidFields } from "#shared/domain/request/app-error.ts";
import { newId } from "#shared/domain/base/ids.ts";
import { type RefundInput, planRefund } from "#shared/domain/payment/refund/plan-refund.ts";
import type { OrderStep } from "./step-order.ts";
import { type Booked, type BookingCall, stepOnce } from "./step-by-call.ts";
import type { OrderRecord } from "#shared/domain/order/order.ts";

/**
 * Refunds an order, once per idempotency key. Gateway payments are refunded through the gateway before the answer, unless
 * it is unreachable.
 *
 * @returns the order after the refunds, and the refunds of this request
 * @throws AppError as `stepOnce`, `validation_failed`
 */
export function refundOrder(
  call: BookingCall & { readonly body: RefundInput },
  shop: Shop<"table" | "gateways" | "log">,
): Promise<Booked> {
  const id = newId("txn", call.now);
  return stepOnce(call, shop, refundStep(call.body, id), {
    what: "refund",
    id,
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
