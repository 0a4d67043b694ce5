import type { Step } from "../order-step.ts";
import type { StoredOrder, OrderRecord, TimelineEntry } from "../order.ts";
import { statusByUnits, unitsIn } from "../ledger/order-units.ts";
import { hasFailed } from "../edit/slot-choice.ts";
import type { Timestamp } from "../../base/text.ts";

export const paidEntry = {
  type: "paid",
  message: "We have received your payment.",
  public: true,
} as const;

const depositEntry = {
  type: "deposit_paid",
  message: "We have received your deposit.",
  public: true,
} as const;

/** Once the order is paid as far as it has to be, staff no longer have to decide about its partial payment. */
export const withoutPart = ({ attention }: Pick<StoredOrder, "attention">) =>
  attention.filter(({ code }) => code !== "part_paid");

/**
 * Confirms an order that is paid as far as it has to be.
 *
 * @param isWhole whether nothing more is due
 */
export const confirmed = (
  order: Pick<StoredOrder, "id" | "attention">,
  isWhole: boolean,
): Step & Required<Pick<Step, "set" | "entries" | "events">> => ({
  set: { status: "confirmed", expires_at: null, attention: withoutPart(order) },
  entries: [
    isWhole ? paidEntry : depositEntry,
    { type: "confirmed", message: "Your order is confirmed.", public: true },
  ],
  events: [{ type: "order_paid", order_id: order.id }],
});

/**
 * What follows from where the units are: the status, and the end of a slot for which there is nothing more to send, or
 * in which all that left has arrived while other units are still to be packed.
 */
export function following(
  record: OrderRecord,
  at: Timestamp,
): { set: Partial<StoredOrder>; entries: readonly Omit<TimelineEntry, "at">[] } {
  const { order, rows } = record;
  const status = statusByUnits(record);
  const { slot } = order;
  const isOver = slot?.has_left
    ? unitsIn(record, "on_the_way") === 0 && unitsIn(record, "open") > 0
    : unitsIn(record, "open", "packed") === 0;
  const freed = slot && isOver && !hasFailed(record) ? { slot: null } : {};
  if (status === order.status) return { set: freed, entries: [] };
  if (status === "shipped") return { set: { status, ...freed }, entries: [] };
  if (status !== "delivered") return { set: { status, ...freed }, entries: [cameBackWhole] };
  const times = rows.shipments.flatMap(({ delivered_at }) => delivered_at ?? []);
  const delivered_at = times.toSorted().at(-1) ?? at;
  return { set: { status, delivered_at, ...freed }, entries: [arrivedWhole] };
}

const arrivedWhole = {
  type: "delivered",
  message: "Your order has been delivered.",
  public: true,
} as const;

const cameBackWhole = {
  type: "returned",
  message: "Your order has come back to us.",
  public: true,
} as const;
