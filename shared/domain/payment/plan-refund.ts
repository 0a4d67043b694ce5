import * as z from "zod";
import type { Problem } from "../base/names.ts";
import type { StepContext } from "../order/cancel-order.ts";
import { Money, roundHalfEven, writtenAmount } from "../base/money.ts";
import { type OrderChange, changeOf } from "../order/order-change.ts";
import type { LineUnits } from "../order/line-units.ts";
import { holdsStock, unitsOf } from "../order/order-units.ts";
import type { OrderItem, OrderRecord } from "../order/order.ts";
import { stockMoves } from "../order/return-shipment.ts";
import { withoutUnits } from "../order/take-off.ts";
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
  const amount = input.amount ?? lines.reduce((sum, line) => sum + priceOf(line), 0);
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
  return { kind: "planned", change: refundChange(record, rows, lines, now) };
}

/** A line of the order with the refund that is requested for it. */
interface RefundLine {
  readonly id: string;
  readonly quantity: number;
  /** True if the request names the line twice. */
  readonly again: boolean;
  /** Undefined if the order has no such line. */
  readonly item: OrderItem | undefined;
  readonly units: LineUnits | undefined;
  /** Units of the line that were refunded before, or have a pending refund. */
  readonly refunded: number;
  /** How many of the requested units are taken off, because they were not sent. */
  readonly takenOff: number;
  /** How many of the requested units are back at the shop. */
  readonly back: number;
}

function linesOf(record: OrderRecord, { items, restock }: RefundInput): RefundLine[] {
  const all = unitsOf(record);
  const isOpen = holdsStock(record.order.status);
  return items.map(({ id, quantity }, index) => {
    const units = all.get(id);
    const takenOff = isOpen && units ? Math.min(quantity, units.open + units.packed) : 0;
    return {
      id,
      quantity,
      again: items.findIndex((other) => other.id === id) < index,
      item: record.order.items.find((item) => item.id === id),
      units,
      refunded: refundedUnits(record, id),
      takenOff,
      back: restock ? quantity - takenOff : 0,
    };
  });
}

/** Units of a line whose price was refunded or has a pending refund, and units that are gone without a refund. */
function refundedUnits(record: OrderRecord, line: string): number {
  const refunded = record.rows.transactions
    .filter(({ state }) => state !== "failed")
    .flatMap(({ items }) => items)
    .reduce((sum, { id, quantity }) => sum + (id === line ? quantity : 0), 0);
  const { taken_off = 0, came_back = 0 } = unitsOf(record).get(line) ?? {};
  return Math.max(refunded, taken_off + came_back);
}

/** Whether nothing was sent, and these lines leave nothing to send. */
function takesEverything(record: OrderRecord, lines: readonly RefundLine[]): boolean {
  const all = unitsOf(record);
  const left = new Map(
    Array.from(all, ([id, { ordered, taken_off }]) => [id, ordered - taken_off]),
  );
  for (const { id, takenOff } of lines) left.set(id, (left.get(id) ?? 0) - takenOff);
  return (
    lines.some(({ takenOff }) => takenOff > 0) && [...left.values()].every((units) => units <= 0)
  );
}

function problemOf(
  { quantity, again, item, units, refunded, back }: RefundLine,
  index: number,
): Problem[] {
  const path = `items.${index}`;
  if (!item || !units)
    return [{ path: `${path}.id`, message: "The order has no line with this id." }];
  if (again) return [{ path: `${path}.id`, message: "The items field names this line twice." }];
  const left = units.ordered - refunded;
  if (quantity > left) {
    const message = `Only ${left} of the line's ${units.ordered} units can still be refunded.`;
    return [{ path: `${path}.quantity`, message }];
  }
  if (back > units.delivered) {
    const unsent = quantity - back;
    const message =
      `Only ${unsent + units.delivered} of the line's units can be restocked: the others are on ` +
      "their way or already back.";
    return [{ path: `${path}.quantity`, message }];
  }
  return [];
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
  if (amount === 0) {
    const message =
      items.length === 0
        ? "The amount field is required without items."
        : "These items cost nothing. Give an amount.";
    return [{ path: "amount", message }];
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

/**
 * The price of the requested units. It is the rounded price of all units refunded so far, these included, minus the
 * rounded price of the units refunded before. So the refunds of all units add up exactly to the line's total.
 */
function priceOf({ item, refunded, quantity }: RefundLine): number {
  if (!item) return 0;
  const upTo = (count: number) =>
    roundHalfEven(BigInt(item.line_total) * BigInt(count), item.quantity);
  return upTo(refunded + quantity) - upTo(refunded);
}

function refundChange(
  record: OrderRecord,
  rows: readonly Transaction[],
  lines: readonly RefundLine[],
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
      transactions: rows,
      entries: [
        ...(open.length > 0 ? [started] : []),
        ...steps.flatMap(({ entries = [] }) => entries),
      ],
      events: steps.flatMap(({ events = [] }) => events),
      ...withoutUnits(
        record,
        lines.flatMap(({ id, takenOff }) => (takenOff > 0 ? { id, quantity: takenOff } : [])),
      ),
      came_back: lines.flatMap(({ id, back }) =>
        back > 0 ? { id, quantity: back, undelivered: false } : [],
      ),
      stock: stockMoves(
        record.order,
        lines.map(({ id, takenOff, back }) => ({ id, on_hand: back, reserved: -takenOff })),
      ),
      checksAt: open.length > 0 ? [new Date(now.getTime() + recheckMs).toISOString()] : [],
      attention: byHand ? [toMake] : [],
    },
    now,
  );
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
