import * as z from "zod";
import type { Problem } from "../base/names.ts";
import type { StepContext } from "../order/cancel-order.ts";
import { Money, roundHalfEven, writtenAmount } from "../base/money.ts";
import { type OrderChange, changeOf } from "../order/order-change.ts";
import { type LineUnits, bySku, holdsStock, unitsOf } from "../order/order-units.ts";
import type { OrderItem, OrderRecord } from "../order/order.ts";
import { type RefundedItem, type Transaction, refundDue } from "./payment.ts";
import { Reference } from "./record-payment.ts";
import { awaitsReference, refundRows } from "./refunds.ts";
import { refundStep } from "./reconcile-payment.ts";
import { type StockChange, putBack } from "../catalog/stock.ts";
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
    .meta({ description: "Units to refund" }),
  restock: z
    .boolean()
    .default(false)
    .meta({
      description:
        "Whether the units go back to stock: units that were never packed, or shipped units that " +
        "the customer has returned",
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
  const problems = lines.flatMap((line, index) => problemOf(line, index, input, record));
  const amount = input.amount ?? lines.reduce((sum, line) => sum + priceOf(line), 0);
  const due = refundDue(record.rows.transactions);
  if (problems.length === 0) problems.push(...amountProblems(amount, due, input, record));
  if (problems.length > 0) return { kind: "refused", problems };

  const at = now.toISOString();
  const items = lines.map((line) => refundedItem(line, input.restock, record));
  const { reason, reference = null, method: by = null } = input;
  const rows = refundRows(
    record.rows.transactions,
    { amount, items, reason, reference, by },
    { newId: newTransactionId, at },
  );
  return { kind: "planned", change: refundChange(record, rows, items, now) };
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
}

function linesOf(record: OrderRecord, { items }: RefundInput): RefundLine[] {
  const units = unitsOf(record);
  return items.map(({ id, quantity }, index) => ({
    id,
    quantity,
    again: items.findIndex((other) => other.id === id) < index,
    item: record.order.items.find((item) => item.id === id),
    units: units.get(id),
  }));
}

function problemOf(
  { quantity, again, item, units }: RefundLine,
  index: number,
  { restock }: RefundInput,
  record: OrderRecord,
): Problem[] {
  const path = `items.${index}`;
  if (!item || !units)
    return [{ path: `${path}.id`, message: "The order has no line with this id." }];
  if (again) return [{ path: `${path}.id`, message: "The items field names this line twice." }];
  const left = units.ordered - units.refunded;
  if (quantity > left) {
    const message = `Only ${left} of the line's ${units.ordered} units can still be refunded.`;
    return [{ path: `${path}.quantity`, message }];
  }
  const shelf = withdrawable(units, record) + Math.max(0, units.away - units.returned);
  if (restock && quantity > shelf) {
    const message =
      `Only ${shelf} of the line's units can be restocked: the others are packed or already ` +
      "restocked.";
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

/** How many units can be withdrawn, because they are neither sent nor in a shipment. */
const withdrawable = ({ unpacked }: LineUnits, { order }: OrderRecord): number =>
  holdsStock(order.status) ? Math.max(0, unpacked) : 0;

/**
 * The price of the requested units. It is the rounded price of all units refunded so far, these included, minus the
 * rounded price of the units refunded before. So the refunds of all units add up exactly to the line's total.
 */
function priceOf({ item, units, quantity }: RefundLine): number {
  if (!item || !units) return 0;
  const upTo = (count: number) =>
    roundHalfEven(BigInt(item.line_total) * BigInt(count), item.quantity);
  return upTo(units.refunded + quantity) - upTo(units.refunded);
}

function refundedItem(
  { id, quantity, units }: RefundLine,
  restock: boolean,
  record: OrderRecord,
): RefundedItem {
  if (!restock || !units) return { id, quantity, withdrawn: 0, returned: 0 };
  const withdrawn = Math.min(quantity, withdrawable(units, record));
  return { id, quantity, withdrawn, returned: quantity - withdrawn };
}

function refundChange(
  record: OrderRecord,
  rows: readonly Transaction[],
  items: readonly RefundedItem[],
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
      stock: stockOf(record, items),
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

function stockOf(
  record: OrderRecord,
  items: readonly RefundedItem[],
): ReadonlyMap<string, StockChange> {
  const units = (member: "withdrawn" | "returned") =>
    bySku(
      record,
      items.map((item) => ({ id: item.id, quantity: item[member] })),
    );
  const [withdrawn, returned] = [units("withdrawn"), units("returned")];
  const skus = new Set([...withdrawn.keys(), ...returned.keys()]);
  return new Map(
    [...skus].map((sku) => [
      sku,
      putBack({ withdrawn: withdrawn.get(sku) ?? 0, returned: returned.get(sku) ?? 0 }),
    ]),
  );
}
