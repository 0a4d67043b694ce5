import type { OrderRecord, StoredOrder, TimelineEntry } from "../order.ts";
import { statusByUnits, unitsIn } from "../ledger/order-units.ts";
import { hasFailed } from "../edit/slot-choice.ts";
import type { Timestamp } from "../../base/text.ts";

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
