import { changeOf } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import type { OrderRecord } from "../order.ts";
import type { OrderReturn } from "./order-return.ts";
import type { ReturnInput } from "./return-input.ts";
import { type ReturnContext, reasonOf } from "./return-policy.ts";
import { returnStep } from "./return-steps.ts";

/** Returns that an order can have. */
export const mostReturns = 20;

/**
 * Opens a return. Call `returnProblems` first.
 *
 * @param id of the return
 * @param openedBy id of the staff user; null for the buyer
 */
export function openReturn(
  record: OrderRecord,
  { kind, items, wish }: ReturnInput,
  context: ReturnContext,
  { id, openedBy }: { readonly id: string; readonly openedBy: string | null },
): OrderChange {
  const { order } = record;
  const at = context.now.toISOString();
  const opened: OrderReturn = {
    id,
    order_id: order.id,
    order_number: order.number,
    status: "requested",
    kind,
    wish,
    items: items.flatMap(({ reason: code, ...item }) => {
      const reason = reasonOf({ reason: code }, context);
      if (!reason) return [];
      const { label: reason_label, fault } = reason;
      return { ...item, reason: code, reason_label, fault, inspection: null };
    }),
    opened_by: openedBy,
    answer: null,
    pickup: null,
    send_back: null,
    sent_back_at: null,
    fee: 0,
    credited: 0,
    refunded: 0,
    change_id: null,
    created_at: at,
    updated_at: at,
    closed_at: null,
  };
  return changeOf(record, returnStep(opened, ["requested"]), context.now);
}
