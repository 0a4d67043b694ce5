import { timeOfDay } from "../../base/day.ts";
import type { Timestamp } from "../../base/text.ts";
import {
  type SlotShop,
  type SlotZone,
  runZoneNamed,
  slotZoneNamed,
} from "../../delivery/slot-zone.ts";
import { isHeldForBalance } from "../../payment/payment-schedule.ts";
import { type OrderRecord, type StoredOrder, isCollected } from "../order.ts";
import { hasUnsent } from "../ledger/order-units.ts";
import { isBeforeDispatch } from "../status/order-states.ts";

const hourMs = 3_600_000;

/** The timeline entry of an order that loses its slot because it was not confirmed in time. */
export const slotIsFree = {
  type: "slot_released",
  message: "Your delivery time is no longer reserved, because the order was not paid in time.",
  public: true,
} as const;

/** Whether the order is confirmed only after the time by which it had to be, and so loses its slot. */
export const isConfirmedLate = (before: StoredOrder, after: StoredOrder, at: Timestamp): boolean =>
  before.status === "pending_payment" &&
  after.status === "confirmed" &&
  after.slot !== null &&
  after.slot.confirm_by <= at;

/** Whether units have to go out again after a failed delivery. */
export const hasFailed = ({ rows }: OrderRecord): boolean =>
  rows.shipments.some(({ status }) => status === "delivery_failed");

const isMadeToOrder = ({ items }: StoredOrder): boolean =>
  items.some(({ made_to_order }) => made_to_order);

/** Whether a day can be planned for the order's goods: they are in stock or made, paid for, and not on their way. */
export function isPlannable(record: OrderRecord): boolean {
  const { order } = record;
  if (order.status === "shipped")
    return hasFailed(record) || (hasUnsent(record) && !isHeldForBalance(order));
  if (!isBeforeDispatch(order.status)) return false;
  return (
    !isMadeToOrder(order) || (order.status === "ready_to_dispatch" && !isHeldForBalance(order))
  );
}

/** Whether staff may plan the order's delivery, which they can do before its goods are made and paid for. */
export const mayPlanSlot = (record: OrderRecord): boolean =>
  isBeforeDispatch(record.order.status) ||
  (record.order.status === "shipped" && (hasFailed(record) || hasUnsent(record)));

/** The slot for which nothing has left yet. After that its place stays used, and the rest may have another slot. */
const openSlot = ({ slot }: StoredOrder) => (slot?.has_left ? null : slot);

/** Whether the buyer is asked to choose a slot: only now is the order plannable, or it has lost its slot. */
export function awaitsSlot(record: OrderRecord): boolean {
  const { order, rows } = record;
  if (!order.offers_slot || order.slot || !isPlannable(record)) return false;
  return (
    isMadeToOrder(order) ||
    hasFailed(record) ||
    rows.timeline.some(({ type }) => type === slotIsFree.type)
  );
}

/** The zone in which the order's slot can be chosen. */
export const slotZoneOfOrder = ({ shipping }: StoredOrder, shop: SlotShop) =>
  slotZoneNamed(shop.shipping, shipping);

/** The zone in whose runs staff can plan the order by any delivery method; null if its buyer collects it. */
export const runZoneOfOrder = (order: StoredOrder, shop: SlotShop): SlotZone | null =>
  isCollected(order) ? null : runZoneNamed(shop.shipping, order.shipping.zone);

export const mayChooseSlot = (record: OrderRecord, shop: SlotShop): boolean =>
  openSlot(record.order) === null &&
  isPlannable(record) &&
  slotZoneOfOrder(record.order, shop) !== null;

/** Whether the buyer may still move the slot: until some hours before it, and while nothing is on its way. */
export function mayChangeSlot(record: OrderRecord, shop: SlotShop, now: Date): boolean {
  const slot = openSlot(record.order);
  const zone = slotZoneOfOrder(record.order, shop);
  if (!slot || !zone || !isPlannable(record)) return false;
  const begins = timeOfDay(slot.date, slot.from, shop.store.timezone).getTime();
  return now.getTime() < begins - zone.slots.change_until_hours * hourMs;
}
