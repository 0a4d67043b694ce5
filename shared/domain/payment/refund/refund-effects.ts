import type { Step } from "../../order/order-step.ts";
import type { OrderRecord } from "../../order/order.ts";
import type { LedgerRow, Transaction } from "../payment.ts";
import { refundStep } from "../gateway/reconcile-payment.ts";

/** How soon a gateway refund is checked if the request that made it was interrupted. */
const recheckMs = 60_000;

/** What follows from new refunds of an order: timeline entries, mails, checks and what staff have to do. */
export function refundEffects(
  record: OrderRecord,
  rows: readonly LedgerRow[],
  now: Date,
): Pick<Step, "transactions" | "entries" | "events" | "checksAt" | "attention"> {
  const isOpen = ({ state }: Transaction) => state === "pending";
  const open = rows.filter(isOpen);
  const made = rows.filter((row) => !isOpen(row));
  const steps = made.map((row) => refundStep(record, { state: "pending" }, row));
  const byHand = open.filter(({ method }) => method !== "gateway");
  return {
    transactions: rows,
    entries: [
      ...(open.length > 0 ? [started] : []),
      ...steps.flatMap(({ entries = [] }) => entries),
    ],
    events: steps.flatMap(({ events = [] }) => events),
    checksAt: open.length > 0 ? [new Date(now.getTime() + recheckMs).toISOString()] : [],
    attention: byHand.map(({ id: about }) => ({ ...toMake, about })),
  };
}

const started = {
  type: "refund_started",
  message: "We are refunding you.",
  public: true,
} as const;

const toMake = {
  code: "refund_to_make",
  message: "Make this refund in cash or by transfer, then enter its reference.",
} as const;
