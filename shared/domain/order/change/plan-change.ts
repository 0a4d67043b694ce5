import type { Problem } from "../../base/names.ts";
import { writtenAmount, MoneySum } from "../../base/money.ts";
import { refundEffects } from "../../payment/refund/refund-effects.ts";
import { refundSurplus } from "../../payment/refund/refunds.ts";
import { roundedBy } from "../../payment/rounding.ts";
import type { ChangeInput } from "./change-input.ts";
import { type ChangeRow, ChangeLetter } from "../ledger/change-row.ts";
import { additionTerms } from "../../payment/addition.ts";
import type { Settings } from "../../settings/settings.ts";
import { changeOf } from "../order-change.ts";
import { withLines, type OrderChange, type Step } from "../order-step.ts";
import { sizeProblems } from "./order-limits.ts";
import { isUnfulfilled } from "../status/order-states.ts";
import type { OrderItem, OrderRecord } from "../order.ts";
import { unitsOf } from "../ledger/order-units.ts";
import { reductionOf, valueAfter, valueOf } from "../ledger/order-value.ts";
import { planDelivery } from "./other-delivery.ts";
import { stockMoves } from "../shipment/return-shipment.ts";
import { takesEverything, withoutUnits } from "./take-off.ts";
import * as z from "zod";
import { amountDue, surplusOf } from "../../payment/owing.ts";
import { stockIdOf } from "../../catalog/stock.ts";

type ChangePlanning =
  | { readonly kind: "refused"; readonly problems: readonly Problem[] }
  /** The order has ended. */
  | { readonly kind: "ended" }
  /** Nothing of the order was sent, and nothing would be left to send: the order must be cancelled instead. */
  | { readonly kind: "everything" }
  /** Something was sent, so the delivery can no longer change. */
  | { readonly kind: "dispatched" }
  | {
      readonly kind: "planned";
      readonly change: OrderChange;
      /** Whether it lowers prices or pays money back. */
      readonly paysBack: boolean;
    };

/** The inputs of a change besides the order. */
interface ChangeContext {
  readonly now: Date;
  /** Id of the change's row. */
  readonly id: string;
  /** The lines that are added, at their prices. */
  readonly added: readonly OrderItem[];
  readonly settings: Pick<Settings, "payments" | "shipping" | "store">;
  /** Creates the id of a ledger row. */
  newTransactionId(): string;
}

/**
 * Plans a change by staff: units that are taken off or back, reductions, additions, another delivery, and the refund of
 * what was received beyond the order's value then. Line reductions are made first, and one of the whole is spread over
 * all that the order has then.
 */
export function planChange(
  record: OrderRecord,
  input: ChangeInput,
  { now, id, added, settings, newTransactionId }: ChangeContext,
): ChangePlanning {
  const { order } = record;
  if (isUnfulfilled(order.status)) return { kind: "ended" };
  const unitProblems = problemsOfUnits(record, input);
  if (unitProblems.length > 0) return { kind: "refused", problems: unitProblems };
  const grown = withLines(record, added);
  if (takesEverything(grown, input.take_off)) return { kind: "everything" };
  const units = unitsStep(grown, input, added);
  const tooLarge = sizeProblems(grown.order, units.stock?.keys() ?? []);
  if (tooLarge.length > 0) return { kind: "refused", problems: tooLarge };
  const delivery = planDelivery(grown, input, { units, settings, now });
  if (delivery.kind === "refused" || delivery.kind === "dispatched") return delivery;
  const { shipping, set, entries = [] } = delivery.kind === "other" ? delivery.step : {};
  const otherwise = { ...units, ...(shipping && { shipping }) };
  const reduction = reductionsOf(grown, otherwise, input);
  if (reduction.problems.length > 0) return { kind: "refused", problems: reduction.problems };
  const lowers = { ...otherwise, reduced: reduction.reduced };
  const { current, goods } = valueAfter(grown, lowers);
  const { when, method: by = null, reference = null } = input.refund;
  const surplus = refundSurplus(
    record,
    { current, goods },
    {
      atMost: when === "now" ? null : 0,
      items: [...input.take_off, ...input.take_back].map(({ id: line, quantity }) => ({
        id: line,
        quantity,
      })),
      reason: input.reason,
      reference,
      by,
    },
    { newId: newTransactionId, at: now.toISOString() },
  );
  const { inCash } = surplus;
  const refunds = surplus.refunds.map((row) => ({ ...row, announced: input.notify }));
  const effects = refundEffects(record, refunds, now);
  const terms = additionTerms(grown.order, current, settings, now);
  const change = changeOf(
    record,
    {
      ...lowers,
      ...effects,
      set: { ...set, ...(inCash && roundedBy(inCash.rounding)) },
      checksAt: [
        ...(effects.checksAt ?? []),
        ...(goods > valueOf(record).goods && terms.due_at ? [terms.due_at] : []),
      ],
      added,
      additionTerms: terms,
      changeId: id,
      entries: [
        { type: "order_changed", message: "Your order was changed.", public: input.notify },
        { type: "order_changed_because", message: input.reason, public: false },
        ...entries,
        ...(effects.entries ?? []),
      ],
      events: [
        ...(input.notify
          ? [{ type: "order_changed" as const, order_id: order.id, change_id: id }]
          : []),
        ...(effects.events ?? []),
      ],
    },
    now,
  );
  const isCheaper = delivery.kind === "other" && delivery.isCheaper;
  const paysBack = input.reduce.length > 0 || isCheaper || refunds.length > 0;
  return { kind: "planned", change, paysBack };
}

function problemsOfUnits(record: OrderRecord, { take_off, take_back }: ChangeInput): Problem[] {
  const units = unitsOf(record);
  const problems = (member: "take_off" | "take_back", named: readonly NamedUnits[]) =>
    named.flatMap(({ id, quantity }, index): Problem[] => {
      const line = units.get(id);
      const path = `${member}.${index}`;
      if (!line) return [{ path: `${path}.id`, message: "The order has no line with this id." }];
      if (named.findIndex((other) => other.id === id) < index) {
        return [{ path: `${path}.id`, message: `The ${member} field names this line twice.` }];
      }
      const left = member === "take_off" ? line.open + line.packed : line.delivered;
      if (quantity <= left) return [];
      const what = member === "take_off" ? "were not sent" : "were delivered";
      return [{ path: `${path}.quantity`, message: `Only ${left} of the line's units ${what}.` }];
    });
  return [...problems("take_off", take_off), ...problems("take_back", take_back)];
}

interface NamedUnits {
  readonly id: string;
  readonly quantity: number;
}

function unitsStep(
  record: OrderRecord,
  { take_off, take_back }: ChangeInput,
  added: readonly OrderItem[],
): Pick<Step, "taken_off" | "came_back" | "shipments" | "stock"> {
  const off = take_off.map(({ id, quantity }) => ({ id, quantity }));
  return {
    ...withoutUnits(record, off),
    came_back: take_back.map(({ id, quantity }) => ({ id, quantity, undelivered: false })),
    stock: stockMoves(record.order, movesOf({ take_off, take_back }, added)),
  };
}

/** How the stock of each line changes. */
const movesOf = (
  { take_off, take_back }: Pick<ChangeInput, "take_off" | "take_back">,
  added: readonly Pick<OrderItem, "id" | "quantity">[],
) => [
  ...take_off.map(({ id, quantity, goods }) => ({
    id,
    on_hand: goods === "scrap" ? -quantity : 0,
    reserved: -quantity,
  })),
  ...take_back.map(({ id, quantity, goods }) => ({
    id,
    on_hand: goods === "restock" ? quantity : 0,
    reserved: 0,
  })),
  ...added.map(({ id, quantity }) => ({ id, on_hand: 0, reserved: quantity })),
];

function reductionsOf(
  record: OrderRecord,
  otherwise: Parameters<typeof valueAfter>[1],
  { reduce }: ChangeInput,
): { readonly reduced: ChangeRow["reduced"]; readonly problems: readonly Problem[] } {
  const { currency } = record.order;
  const worth = valueAfter(record, otherwise);
  const ofLines = reduce.filter(({ id }) => id !== null);
  const afterLines = valueAfter(record, { ...otherwise, reduced: ofLines });
  const problems = reduce.flatMap(({ id, amount }, index): Problem[] => {
    const path = `reduce.${index}`;
    if (reduce.findIndex((other) => other.id === id) < index) {
      return [{ path: `${path}.id`, message: "The reduce field names this line twice." }];
    }
    const most = id === null ? afterLines.goods : worth.lines.get(id)?.amount;
    if (most === undefined) {
      return [{ path: `${path}.id`, message: "The order has no line with this id." }];
    }
    if (amount <= most) return [];
    const written = writtenAmount(most, currency, "en");
    return [{ path: `${path}.amount`, message: `At most ${written} can be taken off.` }];
  });
  if (problems.length > 0) return { reduced: [], problems };
  const whole = reduce.find(({ id }) => id === null)?.amount ?? 0;
  return { reduced: [...ofLines, ...reductionOf(whole, afterLines)], problems };
}

/** What a change does besides the order itself. */
export const ChangeEffect = z.object({
  money: z.object({
    due: MoneySum,
    surplus: MoneySum,
    refund: MoneySum,
  }),
  stock: z.array(z.object({ sku: z.string(), on_hand: z.int(), reserved: z.int() })),
  documents: z.array(z.enum(["credit_note", "refund_voucher"])),
  letters: z.array(ChangeLetter),
});
export type ChangeEffect = z.output<typeof ChangeEffect>;

/**
 * The effect of a change.
 *
 * @param record after the change
 * @param id of the change
 */
export function effectOfChange(
  { order, rows }: OrderRecord,
  id: string,
  input: ChangeInput,
): ChangeEffect {
  const added = order.items.filter(({ change_id }) => change_id === id);
  const refunds = rows.transactions.filter(({ change_id }) => change_id === id);
  const refund = refunds.reduce(
    (sum, { state, amount }) => (state === "failed" ? sum : sum + amount),
    0,
  );
  const made = rows.changes.find((change) => change.id === id);
  const hasVoucher = refunds.some(({ advance }) => advance !== undefined);
  return {
    money: { due: amountDue(order), surplus: surplusOf(order), refund },
    stock: Array.from(stockMoves(order, movesOf(input, added)), ([id, { add }]) => ({
      sku: order.items.find((line) => stockIdOf(line) === id)?.sku ?? "",
      on_hand: add.on_hand,
      reserved: add.reserved,
    })),
    documents: [
      ...(made?.credit ? (["credit_note"] as const) : []),
      ...(hasVoucher ? (["refund_voucher"] as const) : []),
    ],
    letters: (order.customer.email !== null && made?.letters) || [],
  };
}
