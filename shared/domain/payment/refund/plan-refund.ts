import type { Problem } from "../../base/names.ts";
import { type LineUnits, holdsStock, unitsOf } from "../../order/ledger/order-units.ts";
import type { Step, OrderChange } from "../../order/order-step.ts";
import type { OrderItem, OrderRecord, StoredOrder } from "../../order/order.ts";
import {
  valueOf,
  type OrderValue,
  keptOf,
  linesWorth,
  loweredBy,
  reductionOf,
  valueAfter,
} from "../../order/ledger/order-value.ts";
import { stockMoves } from "../../order/shipment/return-shipment.ts";
import { withoutUnits, allUnsent, takesEverything } from "../../order/change/take-off.ts";
import * as z from "zod";
import type { StepContext } from "../../order/status/cancel-order.ts";
import { Money, writtenAmount } from "../../base/money.ts";
import { changeOf } from "../../order/order-change.ts";
import { amountDue, surplusOf } from "../owing.ts";
import { type Transaction, heldIn, receivedIn } from "../payment.ts";
import { Reference } from "../record-payment.ts";
import { awaitsReference, isRefundedInCash, refundRows } from "./refunds.ts";
import { cashRefund, roundedBy } from "../rounding.ts";
import { refundEffects } from "./refund-effects.ts";
import { MultilineText } from "../../base/text.ts";

/** A line of the order with the refund that is requested for it. */
interface RefundLine {
  readonly id: string;
  readonly quantity: number;
  /** True if the request names the line twice. */
  readonly again: boolean;
  /** Undefined if the order has no such line. */
  readonly item: OrderItem | undefined;
  readonly units: LineUnits | undefined;
  /** How many of the line's units can be refunded. */
  readonly left: number;
  /** How many of the requested units are taken off, because they were not sent. */
  readonly takenOff: number;
  /** How many of the requested units are back at the shop. */
  readonly back: number;
}

function linesOf(record: OrderRecord, { items, restock }: RefundInput): RefundLine[] {
  const all = unitsOf(record);
  const { lines } = valueOf(record);
  const isOpen = holdsStock(record.order.status);
  return items.map(({ id, quantity }, index) => {
    const units = all.get(id);
    const takenOff = isOpen && units ? Math.min(quantity, units.open + units.packed) : 0;
    const counted = lines.get(id)?.units ?? 0;
    const present = units ? units.ordered - units.taken_off - units.came_back : 0;
    return {
      id,
      quantity,
      again: items.findIndex((other) => other.id === id) < index,
      item: record.order.items.find((item) => item.id === id),
      units,
      // A unit that was refunded before may still come back.
      left: isOpen ? (restock ? present : counted) : 0,
      takenOff,
      back: restock ? quantity - takenOff : 0,
    };
  });
}

function problemOf(
  { quantity, again, item, units, left, back }: RefundLine,
  index: number,
): Problem[] {
  const path = `items.${index}`;
  if (!item || !units)
    return [{ path: `${path}.id`, message: "The order has no line with this id." }];
  if (again) return [{ path: `${path}.id`, message: "The items field names this line twice." }];
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

/** What a refund changes in the units of an order. */
type UnitsStep = Pick<Step, "taken_off" | "came_back" | "paid_back" | "shipments" | "stock">;

/**
 * What becomes of the refunded units: those that were not sent are taken off, those that are back are restocked, and
 * the others stay with the buyer without value.
 */
function unitsStep(record: OrderRecord, lines: readonly RefundLine[]): UnitsStep {
  return {
    ...withoutUnits(
      record,
      lines.flatMap(({ id, takenOff }) => (takenOff > 0 ? { id, quantity: takenOff } : [])),
    ),
    came_back: lines.flatMap(({ id, back }) =>
      back > 0 ? { id, quantity: back, undelivered: false } : [],
    ),
    paid_back: lines.flatMap(({ id, quantity, takenOff, back }) =>
      quantity > takenOff + back ? { id, quantity: quantity - takenOff - back } : [],
    ),
    stock: stockMoves(
      record.order,
      lines.map(({ id, takenOff, back }) => ({ id, on_hand: back, reserved: -takenOff })),
    ),
  };
}

/** A refund by staff. */
export const RefundInput = z.strictObject({
  amount: Money.min(1)
    .optional()
    .meta({
      description:
        "Default: the price of `items`, at most what was paid beyond the order's value. What exceeds it lowers " +
        "the price",
    }),
  items: z
    .array(
      z.strictObject({
        id: z.string().max(60).meta({ description: "Id of the line" }),
        quantity: z.int().min(1),
      }),
    )
    .max(50)
    .default([]),
  restock: z.boolean().default(false).meta({
    description: "Whether delivered units are back and go to stock",
  }),
  keep: z
    .boolean()
    .default(false)
    .meta({ description: "Keep what `amount` is below the price of sent `items`" }),
  pay_again: z
    .boolean()
    .default(false)
    .meta({ description: "The buyer has to pay the refunded money again" }),
  reason: MultilineText(500).meta({ description: "Visible to staff only" }),
  reference: Reference.nullish().meta({
    description:
      "Of a refund that was already made in cash or by transfer. Without it, such a refund is pending",
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

type RefundPlanning =
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** Nothing of the order was sent, and nothing would be left to send: the order must be cancelled instead. */
  | { readonly kind: "everything" }
  | { readonly kind: "planned"; readonly change: OrderChange };

/**
 * Plans a refund: what it lowers, its amount, the charges it refunds and what happens to the units. It pays what was
 * received beyond the value of the order. A gateway refund is pending until the gateway has answered.
 */
export function planRefund(
  record: OrderRecord,
  input: RefundInput,
  { now, newTransactionId }: StepContext,
): RefundPlanning {
  const { order, rows } = record;
  const lines = linesOf(record, { ...input, items: itemsOf(record, input) });
  const problems = lines.flatMap(problemOf);
  if (problems.length > 0) return { kind: "refused", problems };
  const off = lines.map(({ id, takenOff }) => ({ id, quantity: takenOff }));
  if (takesEverything(record, off)) return { kind: "everything" };
  const units = unitsStep(record, lines);
  const before = valueOf(record);
  const after = valueAfter(record, units);
  const facts = factsOf(record, input, { before, after });
  const { method: by = null } = input;
  const { received } = facts;
  const rounded =
    facts.surplus > 0 && facts.price >= facts.surplus && isRefundedInCash(rows.transactions, by)
      ? cashRefund(order, { goods: after.goods, received })
      : null;
  // Staff may state the amount that cash is rounded to.
  const isStated = input.amount !== undefined && input.amount !== rounded?.amount;
  const inCash = isStated || input.keep || input.pay_again ? null : rounded;
  const isInCash = inCash !== null;
  const amount = inCash?.amount ?? input.amount ?? Math.min(facts.price, facts.surplus);
  const amountProblems = problemsOf(amount, facts, {
    input,
    isInCash,
    lines,
    order,
    ledger: rows.transactions,
  });
  if (amountProblems.length > 0) return { kind: "refused", problems: amountProblems };

  const at = now.toISOString();
  const items = lines.map(({ id, quantity }) => ({ id, quantity }));
  const { reason, reference = null, pay_again } = input;
  const refunds = refundRows(
    rows.transactions,
    { amount, items, reason, reference, by },
    { newId: newTransactionId, at },
  );
  const beyond = pay_again || inCash ? 0 : Math.max(0, amount - facts.surplus);
  const lowers = {
    ...units,
    kept: keptOf(facts.kept, loweredBy(before, after)),
    reduced: reductionOf(beyond, after),
    ...(inCash && { set: roundedBy(inCash.rounding) }),
  };
  return { kind: "planned", change: refundChange(record, refunds, lowers, now) };
}

/** The amounts that decide about a refund. */
interface RefundFacts {
  /** What the units are worth that are refunded. */
  readonly price: number;
  /** What the shop keeps of this price. */
  readonly kept: number;
  /** What was received beyond the order's value after the refund of the units. */
  readonly surplus: number;
  /** What is still due then. */
  readonly due: number;
  /** What was received and not taken back by a bank. */
  readonly received: number;
}

function factsOf(
  { order, rows }: OrderRecord,
  { amount, keep }: RefundInput,
  { before, after }: { readonly before: OrderValue; readonly after: OrderValue },
): RefundFacts {
  const price = linesWorth(before) - linesWorth(after);
  const kept = keep && amount !== undefined ? Math.max(0, price - amount) : 0;
  const received = receivedIn(rows.transactions);
  const owing = { ...order, received, current: after.current + kept };
  return {
    price,
    kept,
    surplus: surplusOf(owing),
    due: amountDue(owing),
    received: heldIn(rows.transactions),
  };
}

/** The refund of everything that was paid takes off what was not sent. */
function itemsOf(record: OrderRecord, { amount, items, pay_again }: RefundInput) {
  const { order, rows } = record;
  const received = receivedIn(rows.transactions);
  const owing = { ...order, received, current: valueOf(record).current };
  const isAll =
    items.length === 0 &&
    !pay_again &&
    holdsStock(order.status) &&
    amount === received &&
    received > surplusOf(owing) &&
    amountDue(owing) === 0;
  return isAll ? allUnsent(record) : items;
}

interface Refunded {
  readonly input: RefundInput;
  /** Whether the amount is what cash is rounded to. */
  readonly isInCash: boolean;
  readonly lines: readonly RefundLine[];
  readonly order: Pick<StoredOrder, "currency">;
  readonly ledger: readonly Transaction[];
}

function problemsOf(
  amount: number,
  { price, surplus, due, received }: RefundFacts,
  { input, isInCash, lines, order: { currency }, ledger }: Refunded,
): Problem[] {
  const { items, restock, keep, pay_again } = input;
  const written = (of: number) => writtenAmount(of, currency, "en");
  const problem = (path: string, message: string): Problem[] => [{ path, message }];
  if (restock && items.length === 0) return problem("items", "Name the items to restock.");
  if (amount === 0 && items.length === 0) {
    return problem("amount", "The amount field is required without items.");
  }
  if (amount > received) {
    return problem(
      "amount",
      received <= 0
        ? nothingDue(ledger)
        : `At most ${written(received)} can be refunded: what was paid, less completed and pending refunds.`,
    );
  }
  if (items.length > 0 && input.amount !== undefined && amount < price && !isInCash) {
    if (!keep) {
      return problem(
        "amount",
        `The items are worth ${written(price)}. Set keep to refund less and keep the rest.`,
      );
    }
    if (lines.some(({ takenOff }) => takenOff > 0)) {
      return problem("keep", "Nothing can be kept of items that were not sent.");
    }
  }
  if (pay_again || isInCash || amount <= surplus) return [];
  const isPriceOfItems = items.length > 0 && amount <= price;
  if (due === 0 && !isPriceOfItems) return [];
  return problem(
    "amount",
    `Only ${written(surplus)} was paid beyond what the order is worth. Set pay_again to refund money that the ` +
      "buyer has to pay again.",
  );
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
  const { entries = [], ...effects } = refundEffects(record, rows, now);
  const all = [...(rows.length === 0 ? [withoutMoney] : []), ...entries];
  return changeOf(record, { ...lowers, ...effects, entries: all }, now);
}

const withoutMoney = {
  type: "units_refunded",
  message: "Items were refunded for which nothing had to be paid back.",
  public: false,
} as const;
