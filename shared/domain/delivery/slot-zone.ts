import type { ShippingMethodCode } from "../settings/zone-settings.ts";
import { dayIn, plusDays, timeOfDay } from "../base/day.ts";
import * as z from "zod";
import { Day, type Timestamp } from "../base/text.ts";
import type { LeadTime } from "../catalog/availability.ts";
import { type Destination, zoneOf } from "../contact/postal-code.ts";
import type { Settings } from "../settings/settings.ts";
import type { ZoneSlots } from "../settings/slot-settings.ts";

/** A zone in which delivery days can be chosen. */
export interface SlotZone {
  readonly code: string;
  readonly slots: ZoneSlots;
}

/** The delivery that a buyer wants. */
export interface WantedDelivery {
  readonly destination: Destination;
  readonly method: ShippingMethodCode;
  readonly settings: Pick<Settings, "shipping" | "store">;
  readonly now: Date;
}

/** The zone whose delivery days the buyer can choose; null if there is nothing to choose. */
export function slotZoneFor({
  destination,
  method,
  settings: { shipping },
}: Omit<WantedDelivery, "now">): SlotZone | null {
  const code = zoneOf(shipping.zones, destination)?.code;
  return code === undefined ? null : slotZoneNamed(shipping, { zone: code, method });
}

/** The zone with this code, if delivery days can be chosen in it for the delivery method. */
export const slotZoneNamed = (
  shipping: Pick<Settings["shipping"], "slots">,
  { zone, method }: { readonly zone: string; readonly method: ShippingMethodCode },
): SlotZone | null =>
  shipping.slots.methods.includes(method) ? runZoneNamed(shipping, zone) : null;

/** The zone with this code, if it has runs. */
export function runZoneNamed(
  { slots }: Pick<Settings["shipping"], "slots">,
  code: string,
): SlotZone | null {
  const own = slots.enabled ? slots.zones[code] : undefined;
  return own ? { code, slots: own } : null;
}

export interface SlotShop {
  readonly store: Pick<Settings["store"], "timezone">;
  readonly shipping: Pick<Settings["shipping"], "slots">;
}

/** The members of a line that decide when it is ready. */
export interface ReadyLine {
  readonly made_to_order: boolean;
  readonly availability: { readonly lead_time: LeadTime };
}

/**
 * The first day that can be promised for these lines. The day counts from tomorrow once today's cut-off is over. Null if
 * a line is made to order: its buyer chooses when the order is ready.
 */
export function earliestDay(
  lines: readonly ReadyLine[],
  { slots }: SlotZone,
  shop: SlotShop,
  now: Date,
): Day | null {
  if (lines.some(({ made_to_order }) => made_to_order)) return null;
  const ready = lines.map(({ availability }) => availability.lead_time.max_days);
  return firstDay(Math.max(slots.lead_days, ...ready), shop, now);
}

/** The zone of a delivery with its `earliestDay`; null if there is nothing to choose. */
export function slotTermsFor(
  lines: readonly ReadyLine[],
  { now, ...wanted }: WantedDelivery,
): { readonly zone: SlotZone; readonly earliest: Day | null } | null {
  const zone = slotZoneFor(wanted);
  return zone && { zone, earliest: earliestDay(lines, zone, wanted.settings, now) };
}

/** The delivery times that a method offers. */
export const OfferedSlots = z
  .object({
    required: z.boolean().meta({ description: "Whether checkout needs a slot" }),
    earliest_on: Day.nullable().meta({
      description: "null if an item is made to order: its day is chosen when the order is ready",
    }),
  })
  .meta({ description: "null if no delivery time can be chosen for this method" });
export type OfferedSlots = z.output<typeof OfferedSlots>;

/** The delivery times offered for these lines; null if there is nothing to choose. */
export function slotsFor(
  lines: readonly ReadyLine[],
  delivery: WantedDelivery,
): OfferedSlots | null {
  const terms = slotTermsFor(lines, delivery);
  if (!terms) return null;
  const { earliest: earliest_on } = terms;
  const { required } = delivery.settings.shipping.slots;
  return { required: required && lines.length > 0 && earliest_on !== null, earliest_on };
}

/** The day that comes `days` days after today, or after tomorrow once today's cut-off is over. */
export function firstDay(
  days: number,
  { store: { timezone }, shipping }: SlotShop,
  now: Date,
): Day {
  const today = dayIn(timezone, now);
  const isLate = now > timeOfDay(today, shipping.slots.cut_off, timezone);
  return plusDays(today, days + (isLate ? 1 : 0));
}

/** The last day that can be chosen now. */
export const lastDay = ({ slots }: SlotZone, shop: SlotShop, now: Date): Day =>
  plusDays(dayIn(shop.store.timezone, now), slots.horizon_days);

/** When an order for this day must be confirmed to keep its place. */
export const confirmBy = (date: Day, { slots }: SlotZone, shop: SlotShop): Timestamp =>
  timeOfDay(
    plusDays(date, -slots.lead_days),
    shop.shipping.slots.cut_off,
    shop.store.timezone,
  ).toISOString();
