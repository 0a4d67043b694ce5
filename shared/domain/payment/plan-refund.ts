import * as z from "zod";
import type { Problem } from "../base/names.ts";
import type { StepContext } from "../order/cancel-order.ts";
import { Money, writtenAmount } from "../base/money.ts";
import { type OrderChange, type Step, changeOf } from "../order/order-change.ts";
import type { OrderRecord } from "../order/order.ts";
import { type OrderValue, linesWorth, reductionOf, valueOf } from "../order/order-value.ts";
import { type UnitsStep, linesOf, problemOf, takesEverything, unitsStep } from "./refund-lines.ts";
import { type Transaction, refundDue } from "./payment.ts";
import { Reference } from "./record-payment.ts";
import { awaitsReference, refundRows } from "./refunds.ts";
import { refundStep } from "./reconcile-payment.ts";
import { MultilineText } from "../base/text.ts";

/** A refund by staff. */
export const RefundInput = z.strictObject({
  amount: Money.min(1).optional().meta({
    description: "Amount to refund. Default: the price of `items`. Required without `items`",
  }),
  items: z
    .array(
      z.strictObject({
        id: z.string().max(60).meta({ description: "Id of the line" }),
        quantity: z.int().min(1),
      }),
    )
    .max(50)
    .default([])
    .meta({
      description: "Units to refund. Those that were not sent yet are taken off the order first",
    }),
  restock: z
    .boolean()
    .default(false)
    .meta({
      description:
        "Whether delivered units are back and go to stock. Units that were not sent are taken off the " +
        "order and released in any case",
    }),
  reason: MultilineText(500).meta({ description: "Visible to staff only" }),
  reference: Reference.nullish().meta({
    description:
      "Reference of a refund that was already made in cash or by transfer. Without it, such a " +
      "refund is pending",
  }),
  method: z
    .enum(["cod", "bank_transfer"])
    .optional()
    .meta({
      description:
        "How to refund the whole amount manually, when the gateway cannot. Default: the original " +
        "payment methods",
    }),
});
export type RefundInput = z.output<typeof RefundInput>;

export type RefundPlanning =
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** Nothing of the order was sent, and nothing would be left to send: the order must be cancelled instead. */
  | { readonly kind: "everything" }
  | { readonly kind: "planned"; readonly change: OrderChange };

/** How soon a gateway refund is checked if the request that made it was interrupted. */
const recheckMs = 60_000;

/**
 * Plans a refund: its amount, the charges it refunds and what happens to the units. A gateway refund is pending until
 * the gateway has answered.
 */
export function planRefund(
  record: OrderRecord,
  input: RefundInput,
  { now, newTransactionId }: StepContext,
): RefundPlanning {
  const lines = linesOf(record, input);
  const problems = lines.flatMap(problemOf);
  if (problems.length === 0 && takesEverything(record, lines)) return { kind: "everything" };
  const units = unitsStep(record, lines);
  const before = valueOf(record);
  const after = valueAfter(record, units);
  const price = linesWorth(before) - linesWorth(after);
  const amount = input.amount ?? price;
  const due = refundDue(record.rows.transactions);
  if (problems.length === 0) problems.push(...amountProblems(amount, due, input, record));
  if (problems.length > 0) return { kind: "refused", problems };

  const at = now.toISOString();
  const items = lines.map(({ id, quantity }) => ({ id, quantity }));
  const { reason, reference = null, method: by = null } = input;
  const rows = refundRows(
    record.rows.transactions,
    { amount, items, reason, reference, by },
    { newId: newTransactionId, at },
  );
  // Before everything is paid, an amount without units has to be paid again, so it lowers no value.
  const beyond = due < before.current ? 0 : Math.max(0, amount - Math.max(0, due - after.current));
  const lowers = { ...units, reduced: reductionOf(beyond, after) };
  return { kind: "planned", change: refundChange(record, rows, lowers, now) };
}

/** What the order is worth after its units have changed. */
function valueAfter({ order, rows }: OrderRecord, units: UnitsStep): OrderValue {
  const { taken_off = [], came_back = [], paid_back = [] } = units;
  const change = { id: "", version: 0, at: "", taken_off, came_back, paid_back, reduced: [] };
  return valueOf({ order, rows: { changes: [...rows.changes, change] } });
}

function amountProblems(
  amount: number,
  due: number,
  { items, restock }: RefundInput,
  { order: { currency }, rows }: OrderRecord,
): Problem[] {
  if (restock && items.length === 0) {
    return [{ path: "items", message: "Name the items to restock." }];
  }
  if (amount === 0 && items.length === 0) {
    return [{ path: "amount", message: "The amount field is required without items." }];
  }
  if (amount > due) {
    const message =
      due === 0
        ? nothingDue(rows.transactions)
        : `At most ${writtenAmount(due, currency, "en")} can be refunded: what was paid, less completed and pending refunds.`;
    return [{ path: "amount", message }];
  }
  return [];
}

function nothingDue(ledger: readonly Transaction[]): string {
  const waiting = ledger.find(awaitsReference);
  return waiting
    ? `There is nothing to refund: the refund ${waiting.id} waits for its reference (PATCH ` +
        `…/refunds/${waiting.id}).`
    : "There is nothing to refund: nothing was paid, or all of it is refunded or has a pending refund.";
}

function refundChange(
  record: OrderRecord,
  rows: readonly Transaction[],
  lowers: Step,
  now: Date,
): OrderChange {
  const isOpen = ({ state }: Transaction) => state === "pending";
  const open = rows.filter(isOpen);
  const made = rows.filter((row) => !isOpen(row));
  const steps = made.map((row) => refundStep(record, { state: "pending" }, row));
  const byHand = open.some(({ method }) => method !== "gateway");
  return changeOf(
    record,
    {
      ...lowers,
      transactions: rows,
      entries: [
        ...(rows.length === 0 ? [withoutMoney] : []),
        ...(open.length > 0 ? [started] : []),
        ...steps.flatMap(({ entries = [] }) => entries),
      ],
      events: steps.flatMap(({ events = [] }) => events),
      checksAt: open.length > 0 ? [new Date(now.getTime() + recheckMs).toISOString()] : [],
      attention: byHand ? [toMake] : [],
    },
    now,
  );
}

const withoutMoney = {
  type: "units_refunded",
  message: "Items came back that were refunded before.",
  public: false,
} as const;

const started = {
  type: "refund_started",
  message: "We are refunding you.",
  public: true,
} as const;

const toMake = {
  code: "refund_to_make",
  message: "Make this refund in cash or by transfer, then enter its reference.",
} as const;
