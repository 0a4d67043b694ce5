import * as z from "zod";
import { Code } from "../base/names.ts";
import { Day, Timestamp } from "../base/text.ts";
import type { SlotWindow } from "../settings/slot-settings.ts";
import { ClockTime } from "../settings/zone-settings.ts";
import type { SlotZone } from "./slot-zone.ts";

/** A window on a day in which an order is delivered. */
export const DeliverySlot = z.object({
  date: Day,
  window: Code,
  label: z.string(),
  from: ClockTime,
  to: ClockTime,
  zone: z.string(),
});
export type DeliverySlot = z.output<typeof DeliverySlot>;

/** The slot of an order. */
export const BookedSlot = DeliverySlot.extend({
  confirm_by: Timestamp.meta({
    description: "The order loses the slot if it is not confirmed by this time",
  }),
  has_left: z.boolean().default(false).meta({
    description: "Whether a shipment has left for this slot, so that its place stays used",
  }),
});
export type BookedSlot = z.output<typeof BookedSlot>;

/** An order's slot as its buyer sees it. */
export function shownSlot(slot: BookedSlot | null): DeliverySlot | null {
  if (!slot) return null;
  const { confirm_by: _confirmBy, has_left: _hasLeft, ...shown } = slot;
  return shown;
}

/** A slot that is chosen for an order. */
export const ChosenSlot = z.strictObject({ date: Day, window: Code });
export type ChosenSlot = z.output<typeof ChosenSlot>;

/** The place of one window on one day. */
export type Place = Pick<DeliverySlot, "zone" | "date" | "window">;

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.zone === other.zone && one.date === other.date && one.window === other.window;

export const slotOf = (zone: SlotZone, date: Day, window: SlotWindow): DeliverySlot => ({
  date,
  window: window.code,
  label: window.label,
  from: window.from,
  to: window.to,
  zone: zone.code,
});
