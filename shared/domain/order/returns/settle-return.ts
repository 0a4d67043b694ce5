import type { Problem } from "../../base/names.ts";
import { shareOf, writtenAmount } from "../../base/money.ts";
import type { BookedSlot } from "../../delivery/delivery-slot.ts";
import { additionTerms } from "../../payment/addition.ts";
import { refundEffects } from "../../payment/refund/refund-effects.ts";
import { refundSurplus } from "../../payment/refund/refunds.ts";
import { roundedBy } from "../../payment/rounding.ts";
import type { Settings } from "../../settings/settings.ts";
import type { StockChange } from "../../catalog/stock.ts";
import { sizeProblems } from "../change/order-limits.ts";
import { withLines, type OrderChange, type Step } from "../order-step.ts";
import type { ChangeRow } from "../ledger/change-row.ts";
import { unitsOf } from "../ledger/order-units.ts";
import { keptOf, loweredBy, valueAfter, valueOf } from "../ledger/order-value.ts";
import { changeOf } from "../order-change.ts";
import type { OrderItem, OrderRecord } from "../order.ts";
import { stockMoves } from "../shipment/return-shipment.ts";
import { canMove, isUnfulfilled } from "../status/order-states.ts";
import {
  type OrderReturn,
  type ReturnEvent,
  type ReturnItem,
  type ReturnStatus,
  buyersUnits,
  cameBack,
  isOpenReturn,
  returnMachine,
} from "./order-return.ts";
import type { InspectedItem, ReturnPatch } from "./return-input.ts";
import { returnStep } from "./return-steps.ts";

/** The inputs of a step of a return besides the order and the return. */
export interface ReturnStepContext {
  readonly now: Date;
  /** Id of the change of the order, if the step makes one. */
  readonly id: string;
  /** The lines that the buyer gets, at their prices. */
  readonly added: readonly OrderItem[];
  /** The place of the pickup or of the way back, which the caller books in the same transaction. */
  readonly visit: BookedSlot | null;
  readonly settings: Pick<Settings, "payments" | "returns" | "shipping">;
  newTransactionId(): string;
}

export type ReturnPlanning =
  | { readonly kind: "refused"; readonly allowed: readonly ReturnStatus[] }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  | { readonly kind: "planned"; readonly change: OrderChange };

/**
 * The statuses that a return enters on its way to another one; none if its status stays. What was received can be inspected
 * and settled in one step.
 *
 * @returns undefined if it cannot get there
 */
export function wayTo(
  from: ReturnStatus,
  { status: to, items }: Pick<ReturnPatch, "status" | "items">,
): ReturnStatus[] | undefined {
  if (to === undefined) return [];
  const isMoved = from === to && to === "pickup_scheduled";
  if (isMoved || canMove(returnMachine, from, to)) return [to];
  const isInspectedOnTheWay =
    items !== undefined &&
    canMove(returnMachine, from, "inspected") &&
    canMove(returnMachine, "inspected", to);
  return isInspectedOnTheWay ? ["inspected", to] : undefined;
}

/** A return moves on. All that it does to its order, the units, the fee, the refund and what is added, is one change. */
export function planReturnStep(
  record: OrderRecord,
  found: OrderReturn,
  patch: ReturnPatch,
  context: ReturnStepContext,
): ReturnPlanning {
  const way = wayTo(found.status, patch);
  if (!way) return { kind: "refused", allowed: returnMachine[found.status] };
  const inspected = inspectedItems(record, found, patch, way);
  if (inspected.problems.length > 0) return { kind: "invalid", problems: inspected.problems };
  if (context.added.length > 0 && isUnfulfilled(record.order.status)) {
    const path = patch.add ? "add" : "parts";
    const message = "The order has ended, so nothing can be added to it.";
    return { kind: "invalid", problems: [{ path, message }] };
  }
  const grown = withLines(record, context.added);
  const units = unitsBack(record, inspected.items, context.added);
  const tooLarge = sizeProblems(grown.order, units.stock?.keys() ?? []);
  if (tooLarge.length > 0) return { kind: "invalid", problems: tooLarge };
  const kept = keptOfReturn(record, inspected, units, { found, patch, context });
  if (kept.problem) return { kind: "invalid", problems: [kept.problem] };
  const settled = settledStep(record, grown, {
    found,
    patch,
    context,
    way,
    items: inspected.items ?? found.items,
    units,
    kept,
  });
  const at = context.now.toISOString();
  const { status = found.status } = patch;
  const after: OrderReturn = {
    ...found,
    status,
    items: inspected.items ?? found.items,
    answer: patch.answer === undefined ? found.answer : patch.answer,
    pickup: patch.pickup ? context.visit : found.pickup,
    send_back: patch.send_back ? context.visit : found.send_back,
    sent_back_at: patch.sent_back ? (found.sent_back_at ?? at) : found.sent_back_at,
    fee: found.fee + kept.fee,
    credited: found.credited + kept.credited,
    refunded: found.refunded + settled.refunded,
    change_id: found.change_id ?? (settled.isChange ? context.id : null),
    updated_at: at,
    closed_at: isOpenReturn(status) ? null : (found.closed_at ?? at),
  };
  const outcome = [
    ...(way.length > 0 ? outcomeProblems(after, patch) : []),
    ...sendBackProblems(found, after, patch),
  ];
  if (outcome.length > 0) return { kind: "invalid", problems: outcome };
  const {
    entries = [],
    events = [],
    ...moved
  } = returnStep(after, [...way, ...sendBackEvents(found, after)], {
    changeId: settled.isChange ? context.id : null,
    answer: patch.answer ?? null,
  });
  const { step } = settled;
  const change = changeOf(
    record,
    {
      ...step,
      ...moved,
      changeId: context.id,
      entries: [...entries, ...(step.entries ?? [])],
      events: [...events, ...(step.events ?? [])],
    },
    context.now,
  );
  return { kind: "planned", change };
}

/** The items with what their inspection found; undefined items if this step inspects nothing. */
function inspectedItems(
  record: OrderRecord,
  { items: requested }: OrderReturn,
  { items }: ReturnPatch,
  way: readonly ReturnStatus[],
): { readonly items?: ReturnItem[]; readonly problems: readonly Problem[] } {
  if (!way.includes("inspected")) {
    const path = "items";
    const message = "The items field belongs to the status inspected.";
    return { problems: items ? [{ path, message }] : [] };
  }
  const named = items ?? [];
  const unknown = named.flatMap(({ id }, index): Problem[] =>
    requested.some((item) => item.id === id) &&
    named.findIndex((other) => other.id === id) === index
      ? []
      : [{ path: `items.${index}.id`, message: "Name each item of the return once." }],
  );
  const wrong = requested.flatMap((item): Problem[] => {
    const index = named.findIndex(({ id }) => id === item.id);
    const result = named[index];
    if (!result) return [{ path: "items", message: `The item ${item.id} is missing.` }];
    return resultProblems(record, item, result, `items.${index}`);
  });
  const problems = [...unknown, ...wrong];
  if (problems.length > 0) return { problems };
  return {
    problems,
    items: requested.map((item) => {
      const { id: _id, ...inspection } = named.find(({ id }) => id === item.id)!;
      return { ...item, inspection };
    }),
  };
}

function resultProblems(
  record: OrderRecord,
  { id, quantity }: ReturnItem,
  result: InspectedItem,
  path: string,
): Problem[] {
  const { accepted, refused, missing } = result;
  if (accepted + refused + missing !== quantity) {
    const message = `What was accepted, refused and missing must add up to ${quantity}.`;
    return [{ path: `${path}.accepted`, message }];
  }
  const delivered = unitsOf(record).get(id)?.delivered ?? 0;
  if (cameBack(result) <= delivered) return [];
  const message = `Only ${delivered} of its units are with the buyer; others came back otherwise.`;
  return [{ path: `${path}.accepted`, message }];
}

type Units = Pick<Step, "came_back" | "stock">;

/** The units that come back, and the stock that they, and what is added, change. */
function unitsBack(
  { order }: OrderRecord,
  items: readonly ReturnItem[] | undefined,
  added: readonly OrderItem[],
): Units {
  const back = (items ?? []).flatMap(({ id, inspection }) => {
    const quantity = cameBack(inspection);
    return quantity > 0 ? [{ id, quantity, isStock: inspection?.goods === "restock" }] : [];
  });
  const stock: ReadonlyMap<string, StockChange> = stockMoves(
    { items: [...order.items, ...added] },
    [
      ...back.map(({ id, quantity, isStock }) => ({
        id,
        on_hand: isStock ? quantity : 0,
        reserved: 0,
      })),
      ...added.map(({ id, quantity }) => ({ id, on_hand: 0, reserved: quantity })),
    ],
  );
  return {
    came_back: back.map(({ id, quantity }) => ({ id, quantity, undelivered: false })),
    stock,
  };
}

interface Kept {
  readonly kept: ChangeRow["kept"];
  readonly fee: number;
  /** What the order is worth less after the fee. */
  readonly credited: number;
  readonly problem?: Problem;
}

interface Moved {
  readonly found: OrderReturn;
  readonly patch: ReturnPatch;
  readonly context: ReturnStepContext;
}

/** The fee, which only goods cost that come back for a reason of the customer's, and never more than they are worth. */
function keptOfReturn(
  record: OrderRecord,
  { items }: { readonly items?: readonly ReturnItem[] },
  units: Units,
  { found, patch, context }: Moved,
): Kept {
  const nothing = { kept: [], fee: 0, credited: 0 };
  if (!items) {
    const problem = { path: "fee", message: "The fee field belongs to the status inspected." };
    return patch.fee === undefined ? nothing : { ...nothing, problem };
  }
  const before = valueOf(record);
  const after = valueAfter(record, units);
  const atFault = new Set(items.filter(({ fault }) => fault === "customer").map(({ id }) => id));
  const charged =
    found.kind === "return" ? loweredBy(before, after).filter(({ id }) => atFault.has(id)) : [];
  const worth = charged.reduce((sum, { amount }) => sum + amount, 0);
  const { fixed, bps } = context.settings.returns.fee;
  const asked = worth === 0 ? 0 : Math.min(worth, fixed + shareOf(worth, bps));
  const fee = patch.fee ?? asked;
  if (fee > asked) {
    const most = writtenAmount(asked, record.order.currency, "en");
    return { ...nothing, problem: { path: "fee", message: `The fee is at most ${most}.` } };
  }
  const kept = keptOf(fee, charged);
  const { current } = valueAfter(record, { ...units, kept });
  return { kept, fee, credited: before.current - current };
}

interface Settled extends Moved {
  readonly way: readonly ReturnStatus[];
  readonly items: readonly ReturnItem[];
  readonly units: Units;
  readonly kept: Kept;
}

/** The units that have come back. */
const unitsOfReturn = (items: readonly ReturnItem[]) =>
  items.flatMap(({ id, inspection }) => {
    const quantity = cameBack(inspection);
    return quantity > 0 ? [{ id, quantity }] : [];
  });

/** What the step does to the order: units, what is kept, what is added, and the refund. */
function settledStep(
  record: OrderRecord,
  grown: OrderRecord,
  { found, patch, context, way, items, units, kept }: Settled,
): { readonly step: Step; readonly isChange: boolean; readonly refunded: number } {
  const { added, now, settings } = context;
  const lowers = { ...units, kept: kept.kept };
  const isChange = (units.came_back?.length ?? 0) + added.length > 0;
  const value = valueAfter(grown, lowers);
  const pays = way.includes("refunded") || way.includes("exchanged");
  const left = found.credited - found.refunded + kept.credited;
  const { refunds, inCash } = refundSurplus(
    record,
    value,
    {
      atMost: pays ? Math.max(0, left) : 0,
      items: unitsOfReturn(items),
      reason: `Return: ${items.map(({ reason_label }) => reason_label).join(", ")}`,
      reference: patch.refund.reference ?? null,
      by: patch.refund.method ?? null,
    },
    { newId: () => context.newTransactionId(), at: now.toISOString() },
  );
  const announced = refunds.map((row) => ({ ...row, announced: true, return_id: found.id }));
  const effects = refundEffects(record, announced, now);
  const terms = additionTerms(grown.order, value.current, settings, now);
  const isDearer = added.length > 0 && value.goods > valueOf(record).goods;
  return {
    isChange,
    refunded: refunds.reduce((sum, { amount }) => sum + amount, 0),
    step: {
      ...lowers,
      ...effects,
      ...(added.length > 0 && { added, additionTerms: terms }),
      ...(inCash && { set: roundedBy(inCash.rounding) }),
      checksAt: [
        ...(effects.checksAt ?? []),
        ...(isDearer && terms.due_at !== null ? [terms.due_at] : []),
      ],
    },
  };
}

/** Why a return cannot end as the patch says. */
function outcomeProblems({ items, status }: OrderReturn, { parts }: ReturnPatch): Problem[] {
  const isBack = items.some(({ inspection }) => cameBack(inspection) > 0);
  const isRepaired = items.some(
    ({ inspection }) => inspection?.goods === "repair" && inspection.accepted > 0,
  );
  const problem = (message: string): Problem[] => [{ path: "status", message }];
  if ((status === "refunded" || status === "exchanged") && !isBack) {
    return problem("Nothing came back. Close the return instead.");
  }
  if (status === "repaired" && !isRepaired && !parts) {
    return problem("Nothing was repaired: send parts, or close the return instead.");
  }
  return [];
}

/** What a step has changed about the goods that go back to their buyer. */
const sendBackEvents = (before: OrderReturn, after: OrderReturn): ReturnEvent[] => [
  ...(after.send_back === before.send_back ? [] : (["send_back_planned"] as const)),
  ...(after.sent_back_at === before.sent_back_at ? [] : (["sent_back"] as const)),
];

/** Why nothing can go back to the buyer. */
function sendBackProblems(
  { sent_back_at }: OrderReturn,
  { items }: OrderReturn,
  { send_back, sent_back }: ReturnPatch,
): Problem[] {
  if (!send_back && !sent_back) return [];
  const path = send_back ? "send_back" : "sent_back";
  if (buyersUnits(items).length === 0) {
    return [{ path, message: "Nothing of this return goes back to its buyer." }];
  }
  return send_back && sent_back_at !== null
    ? [{ path, message: "The buyer has it back already." }]
    : [];
}
