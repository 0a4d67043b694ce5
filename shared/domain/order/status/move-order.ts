import { becomesReady } from "./balance.ts";
import { type CancellationTerms, type StepContext, cancelOrder } from "./cancel-order.ts";
import { changeOf } from "../order-change.ts";
import type { OrderChange, Step } from "../order-step.ts";
import { type LineUnits, unitsOf } from "../ledger/order-units.ts";
import type { OrderRecord } from "../order.ts";
import { type OrderStatus, allowedTransitions, orderMachine } from "./order-states.ts";
import { receivedIn } from "../../payment/payment.ts";
import { isHeldForBalance } from "../../payment/payment-schedule.ts";
import { covers, type Permission } from "../../staff/permission.ts";

export type Move =
  /** The order already has this status: a repeat changes nothing. */
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly allowed: readonly OrderStatus[]; readonly reason: string }
  /** The change would refund money, for which the staff user lacks a permission. */
  | { readonly kind: "forbidden"; readonly permission: Permission }
  | { readonly kind: "moved"; readonly change: OrderChange };

type ByHand = Extract<
  OrderStatus,
  "in_production" | "ready_to_dispatch" | "completed" | "cancelled"
>;

/**
 * The statuses that staff may set now. Payments set `confirmed`, the end of the payment window sets `expired`, and
 * shipments set `shipped`. `delivered` and `returned` follow from where the units are.
 */
export function staffMoves(record: OrderRecord, permissions: readonly string[]): OrderStatus[] {
  return handMoves(record).filter((to) => missingFor(to, record, permissions) === undefined);
}

/** Why staff may not set a status that could follow. The code is that of the error which the attempt returns. */
export interface RefusedMove {
  readonly to: OrderStatus;
  readonly code: "invalid_transition" | "forbidden" | "balance_due";
  readonly reason: string;
}

/** The statuses that could follow, but that staff may not set now. */
export function refusedMoves(record: OrderRecord, permissions: readonly string[]): RefusedMove[] {
  const allowed = new Set(staffMoves(record, permissions));
  return allowedTransitions(orderMachine, record.order.status)
    .filter((to) => !allowed.has(to))
    .map((to): RefusedMove => {
      const permission = isByHand(to, record) && missingFor(to, record, permissions);
      if (permission) {
        const reason = `Money would be refunded, which needs the permission ${permission}.`;
        return { to, code: "forbidden", reason };
      }
      if (to === "shipped" && isHeldForBalance(record.order)) {
        return { to, code: "balance_due", reason: "What is due must be paid or waived first." };
      }
      return { to, code: "invalid_transition", reason: reasons[to] };
    });
}

const reasons: Readonly<Record<OrderStatus, string>> = {
  pending_payment: "An order awaits its payment only when it is placed.",
  confirmed: "A payment confirms the order.",
  expired: "An order expires by itself when its payment deadline has passed.",
  in_production: "Only a confirmed order with units that are made to order goes into production.",
  ready_to_dispatch:
    "It can be ready before its dispatch, after in_production if units are made to order.",
  shipped: "The dispatch of a shipment sets this status.",
  delivered: "Set its shipments to delivered: the order follows.",
  returned: "This follows when all that was sent has come back.",
  completed: "Only a delivered order can be completed.",
  cancelled: "The order can no longer be cancelled.",
};

const handMoves = (record: OrderRecord): OrderStatus[] =>
  allowedTransitions(orderMachine, record.order.status).filter((to) => isByHand(to, record));

/**
 * The permission that the staff user lacks to set a status; undefined if none is missing. Cancelling refunds captured
 * money, which requires `orders.refund`.
 */
const missingFor = (
  to: OrderStatus,
  { rows }: OrderRecord,
  permissions: readonly string[],
): Permission | undefined =>
  to === "cancelled" && receivedIn(rows.transactions) > 0 && !covers(permissions, "orders.refund")
    ? "orders.refund"
    : undefined;

const never = () => false;
const always = () => true;

const byHand: Readonly<Record<OrderStatus, (record: OrderRecord) => boolean>> = {
  pending_payment: never,
  confirmed: never,
  expired: never,
  shipped: never,
  delivered: never,
  returned: never,
  in_production: hasWork,
  // An order with made-to-order units must be in production first.
  ready_to_dispatch: (record) => record.order.status === "in_production" || !hasWork(record),
  completed: always,
  cancelled: always,
};

const isByHand = (to: OrderStatus, record: OrderRecord): to is ByHand => byHand[to](record);

/** Whether the order has made-to-order units that still have to be sent. */
function hasWork(record: OrderRecord): boolean {
  const units = unitsOf(record);
  return record.order.items.some(
    ({ id, made_to_order }) => made_to_order && unsent(units.get(id)) > 0,
  );
}

const unsent = (units: LineUnits | undefined): number => (units ? units.open + units.packed : 0);

/** Sets an order's status on behalf of staff. */
export function moveOrder(record: OrderRecord, to: OrderStatus, context: MoveContext): Move {
  const { status } = record.order;
  if (to === status) return { kind: "already" };
  const { permissions } = context;
  if (!handMoves(record).includes(to) || !isByHand(to, record)) {
    return { kind: "refused", allowed: staffMoves(record, permissions), reason: reasons[to] };
  }
  const permission = missingFor(to, record, permissions);
  if (permission) return { kind: "forbidden", permission };
  if (to === "cancelled") {
    const outcome = cancelOrder(record, "staff", context, context.cancellation);
    if (outcome.kind === "refused") return { ...outcome, reason: reasons.cancelled };
    return outcome.kind === "cancelled" ? { ...outcome, kind: "moved" } : outcome;
  }
  return { kind: "moved", change: changeOf(record, stepTo(to, record, context), context.now) };
}

/** The inputs of a status change besides the order. */
export interface MoveContext extends StepContext {
  /** Permissions of the staff user. */
  readonly permissions: readonly string[];
  /** Defaults to a cancellation by the shop, which keeps nothing. */
  readonly cancellation?: CancellationTerms;
}

function stepTo(to: Exclude<ByHand, "cancelled">, record: OrderRecord, { now }: MoveContext): Step {
  const step = {
    set: { status: to },
    entries: [{ type: to, message: stepMessages[to], public: true }],
  };
  return to === "ready_to_dispatch" ? { ...step, ...becomesReady(record.order, now) } : step;
}

const stepMessages: Readonly<Record<Exclude<ByHand, "cancelled">, string>> = {
  in_production: "We have begun to make your order.",
  ready_to_dispatch: "Your order is ready to be sent.",
  completed: "Your order is complete.",
};
