import * as z from "zod";
import { dayIn, plusDays, plusMonths } from "../../base/day.ts";
import type { Problem } from "../../base/names.ts";
import { Day } from "../../base/text.ts";
import type { ReturnReason } from "../../settings/return-settings.ts";
import type { Settings } from "../../settings/settings.ts";
import { unitsOf } from "../ledger/order-units.ts";
import { valueOf } from "../ledger/order-value.ts";
import type { OrderItem, OrderRecord } from "../order.ts";
import { type ReturnKind, heldUnits, type OrderReturn } from "./order-return.ts";
import type { RequestedItem, ReturnInput } from "./return-input.ts";
import { changeOf } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import { returnStep } from "./return-steps.ts";

/** What the rules of returns depend on besides the order. */
export interface ReturnContext {
  readonly settings: Pick<Settings, "returns" | "store">;
  readonly now: Date;
}

/** What the buyer may still do with the units of a line. */
export const ReturnableLine = z.object({
  id: z.string().meta({ description: "Id of the order's line" }),
  name: z.string(),
  /** Delivered units that are in no open return and were not refunded. */
  quantity: z.int().meta({ description: "Units that can be in a new return" }),
  returnable: z.int().meta({ description: "Units that can be returned for any reason now" }),
  return_until: Day.nullable().meta({
    description: "The last day of the unit that was delivered last; null before its delivery",
  }),
  warranty: z
    .array(z.object({ component: z.string(), until: Day }))
    .meta({ description: "Until when the warranty of each component can be claimed" }),
});
export type ReturnableLine = z.output<typeof ReturnableLine>;

/** What can be returned of each line, and claimed under its warranty. */
export function returnableLines(record: OrderRecord, context: ReturnContext): ReturnableLine[] {
  const freeOf = freeUnits(record);
  const { returns } = context.settings;
  return record.order.items.map((item) => {
    const free = freeOf(item.id);
    const deliveries = deliveriesOf(record, item, context);
    const windows = deliveries.map((each) => returnUntil(each, context));
    const mayReturnAtWill = returns.made_to_order || !item.made_to_order;
    const last = deliveries.at(-1);
    return {
      id: item.id,
      name: item.name,
      quantity: free,
      returnable: mayReturnAtWill ? within(deliveries, free, context, returnUntil) : 0,
      return_until: windows.at(-1) ?? null,
      warranty: last
        ? item.warranty.map(({ component, months }) => ({
            component,
            until: plusMonths(last.on, months),
          }))
        : [],
    };
  });
}

/** Units of a line that were delivered on one day. */
interface Delivered {
  readonly on: Day;
  readonly quantity: number;
}

const returnUntil = ({ on }: Delivered, { settings }: ReturnContext): Day =>
  plusDays(on, settings.returns.window_days);

/**
 * How many free units may come back, each by the day of its own delivery. Units that are gone or in a return count as those
 * that were delivered first, which favours the buyer.
 */
function within(
  deliveries: readonly Delivered[],
  free: number,
  context: ReturnContext,
  until: (delivered: Delivered, context: ReturnContext) => Day,
): number {
  const today = dayIn(context.settings.store.timezone, context.now);
  const inTime = deliveries.filter((each) => today <= until(each, context));
  return Math.min(
    free,
    inTime.reduce((sum, { quantity }) => sum + quantity, 0),
  );
}

/** The deliveries of a line, the first one first. */
const deliveriesOf = (
  record: OrderRecord,
  { id }: Pick<OrderItem, "id">,
  { settings }: ReturnContext,
): readonly Delivered[] =>
  record.rows.shipments
    .flatMap(({ status, delivered_at, items }) =>
      status === "delivered" && delivered_at !== null
        ? items
            .filter((item) => item.id === id)
            .map(({ quantity }) => ({
              on: dayIn(settings.store.timezone, new Date(delivered_at)),
              quantity,
            }))
        : [],
    )
    .toSorted((one, other) => (one.on < other.on ? -1 : 1));

/**
 * Returns a function that counts the units of a line that can be in a new return: delivered, in no open return, and not paid
 * back while their buyer kept them.
 */
function freeUnits(record: OrderRecord): (line: string) => number {
  const unitsByLine = unitsOf(record);
  const { lines } = valueOf(record);
  return (line) => {
    const units = unitsByLine.get(line);
    if (!units) return 0;
    const present = units.ordered - units.taken_off - units.came_back;
    const paidBack = present - (lines.get(line)?.units ?? present);
    return Math.max(0, units.delivered - paidBack - heldUnits(record.rows.returns, line));
  };
}

/**
 * Why items cannot be in a new return, by item.
 *
 * @param byStaff staff may open a return beyond the shop's own terms; only what is not there cannot be returned
 */
export function returnProblems(
  record: OrderRecord,
  { kind, items }: Pick<ReturnInput, "kind" | "items">,
  context: ReturnContext,
  byStaff: boolean,
): Problem[] {
  const freeOf = freeUnits(record);
  return items.flatMap((requested, index): Problem[] => {
    const path = `items.${index}`;
    const item = record.order.items.find(({ id }) => id === requested.id);
    if (!item) return [{ path: `${path}.id`, message: "The order has no line with this id." }];
    const reason = reasonOf(requested, context);
    if (!reason) return [{ path: `${path}.reason`, message: "The selected reason is invalid." }];
    const free = freeOf(item.id);
    const deliveries = deliveriesOf(record, item, context);
    if (free === 0) return [{ path: `${path}.quantity`, message: whyNone(deliveries) }];
    if (requested.quantity > free) {
      return [{ path: `${path}.quantity`, message: `Only ${free} of its units can be returned.` }];
    }
    if (byStaff) return [];
    const terms = { item, reason, requested, deliveries, free };
    return [
      ...(kind === "warranty"
        ? warrantyProblems(terms, path, context)
        : windowProblems(terms, path, context)),
      ...(reason.needs_photo && requested.upload_ids.length === 0
        ? [{ path: `${path}.upload_ids`, message: "Please add a picture of it." }]
        : []),
    ];
  });
}

const reasonOf = (
  { reason }: Pick<RequestedItem, "reason">,
  { settings }: Pick<ReturnContext, "settings">,
): ReturnReason | undefined => settings.returns.reasons.find(({ code }) => code === reason);

const whyNone = (deliveries: readonly Delivered[]): string =>
  deliveries.length === 0
    ? "It was not delivered yet."
    : "All of its units are being returned, are back or were refunded.";

interface Terms {
  readonly item: OrderItem;
  readonly reason: ReturnReason;
  readonly requested: RequestedItem;
  readonly deliveries: readonly Delivered[];
  readonly free: number;
}

function windowProblems(
  { item, reason, requested, deliveries, free }: Terms,
  path: string,
  context: ReturnContext,
): Problem[] {
  const { returns } = context.settings;
  if (item.made_to_order && !returns.made_to_order && reason.fault === "customer") {
    const message = "It was made for you, so it can come back only if something is wrong with it.";
    return [{ path: `${path}.id`, message }];
  }
  const inTime = within(deliveries, free, context, returnUntil);
  return tooLate(requested, inTime, path, () => {
    const last = deliveries.at(-1);
    return `It could be returned until ${last ? returnUntil(last, context) : "its delivery"}.`;
  });
}

function warrantyProblems(
  { item, reason, requested, deliveries, free }: Terms,
  path: string,
  context: ReturnContext,
): Problem[] {
  if (reason.fault === "customer") {
    return [{ path: `${path}.reason`, message: "The warranty does not cover this reason." }];
  }
  const { component } = requested;
  const covered = item.warranty.filter(
    (each) => component === null || each.component === component,
  );
  if (covered.length === 0) {
    const message = component === null ? "It has no warranty." : "This component has no warranty.";
    return [{ path: `${path}.${component === null ? "id" : "component"}`, message }];
  }
  const months = Math.max(...covered.map((each) => each.months));
  const until = ({ on }: Delivered) => plusMonths(on, months);
  return tooLate(requested, within(deliveries, free, context, until), path, () => {
    const last = deliveries.at(-1);
    return `Its warranty ended on ${last ? until(last) : "its delivery"}.`;
  });
}

function tooLate(
  { quantity }: RequestedItem,
  inTime: number,
  path: string,
  ended: () => string,
): Problem[] {
  if (quantity <= inTime) return [];
  const message = inTime === 0 ? ended() : `Only ${inTime} of its units can still be returned.`;
  return [{ path: `${path}.quantity`, message }];
}

/** Whether the buyer can open a return of this kind for any unit. */
export const mayReturn = (
  record: OrderRecord,
  context: ReturnContext,
  kind: ReturnKind,
): boolean => {
  const today = dayIn(context.settings.store.timezone, context.now);
  return returnableLines(record, context).some(({ quantity, return_until, warranty }) =>
    kind === "return"
      ? quantity > 0 && return_until !== null && today <= return_until
      : quantity > 0 && warranty.some(({ until }) => today <= until),
  );
};

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
