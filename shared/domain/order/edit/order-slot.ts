import type { Day } from "../../base/text.ts";
import type { BookedSlot, DeliverySlot } from "../../delivery/delivery-slot.ts";
import { type SlotShop, type SlotZone, firstDay } from "../../delivery/slot-zone.ts";
import { changeOf } from "../order-change.ts";
import type { OrderChange } from "../order-step.ts";
import { type OrderRecord, type StoredOrder, type TimelineEntry, isInTheMaking } from "../order.ts";
import { slotIsFree, isPlannable } from "./slot-choice.ts";
import { type OrderStatus, isUnfulfilled } from "../status/order-states.ts";

/**
 * The first day on which the order can be delivered. Its goods are ready as many days after they were ordered as they
 * need.
 */
export function earliestDayOf(
  { status, placed_at, items }: StoredOrder,
  { slots }: SlotZone,
  shop: SlotShop,
  now: Date,
): Day {
  const planned = firstDay(slots.lead_days, shop, now);
  const awaited = status === "confirmed" ? items : items.filter(isInTheMaking);
  const ready = awaited.map(({ lead_time, added_at }) =>
    firstDay(lead_time.max_days, shop, new Date(added_at ?? placed_at)),
  );
  return [planned, ...ready].toSorted().at(-1) ?? planned;
}

/** The timeline entry of an order whose slot was chosen or moved. */
export const slotEntry = (
  before: DeliverySlot | null,
  { date, label, from, to }: DeliverySlot,
): Omit<TimelineEntry, "at"> => ({
  type: before ? "slot_changed" : "slot_chosen",
  message: `Your delivery is planned for ${date}, ${from} to ${to} (${label}).`,
  public: true,
});

/**
 * The timeline entry of an order from which staff have taken its slot.
 *
 * @param mayChoose whether the buyer can choose another one
 */
export const slotTakenBack = (mayChoose: boolean): Omit<TimelineEntry, "at"> => ({
  ...slotIsFree,
  message: `We have to plan your delivery anew.${mayChoose ? " Please choose another time." : ""}`,
});

/** Gives the order a slot, whose place the caller books in the same transaction. */
export const takeSlot = (record: OrderRecord, slot: BookedSlot, now: Date): OrderChange =>
  changeOf(record, { set: { slot }, entries: [slotEntry(record.order.slot, slot)] }, now);

/** Takes the slot of an order that was not confirmed in time. Undefined if it may keep its slot, or has none. */
export function releaseOrderSlot(record: OrderRecord, now: Date): OrderChange | undefined {
  const { status, slot } = record.order;
  if (status !== "pending_payment" || !slot || slot.confirm_by > now.toISOString()) {
    return undefined;
  }
  return changeOf(record, { set: { slot: null }, entries: [slotIsFree] }, now);
}

/** Why an order's slot or address cannot change now. */
type LockReason = "ended" | "dispatched" | "not_ready" | "too_late";

/** Why the address and the contact of an order with this status cannot change. */
export const addressLock = (status: OrderStatus): LockReason =>
  status === "shipped" || status === "delivered" ? "dispatched" : "ended";

/** Why the slot of an order cannot be chosen or changed. */
export function slotLock(record: OrderRecord): LockReason {
  const { status } = record.order;
  if (status === "completed" || isUnfulfilled(status)) return "ended";
  if (isPlannable(record)) return "too_late";
  return status === "shipped" || status === "delivered" ? "dispatched" : "not_ready";
}
