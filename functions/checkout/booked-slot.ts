import type { CartReading } from "#shared/domain/cart/cart-view.ts";
import type { Destination } from "#shared/domain/contact/postal-code.ts";
import type { BookedSlot } from "#shared/domain/delivery/delivery-slot.ts";
import {
  type SlotZone,
  confirmBy,
  earliestDay,
  slotZoneOf,
} from "#shared/domain/delivery/slot-zone.ts";
import { AppError } from "#shared/domain/request/app-error.ts";
import type { Settings, ShippingMethodCode } from "#shared/domain/settings/settings.ts";
import { slotRefused } from "#shared/application/delivery/free-slots.ts";
import type { Table } from "#shared/storage/table.ts";

/** The delivery that a checkout asks for. */
interface Delivery {
  readonly destination: Destination;
  readonly method: ShippingMethodCode;
  readonly settings: Settings;
  readonly now: Date;
}

/** The zone in which slots can be chosen for the delivery; null if there are none. */
export const slotZoneFor = ({ settings, destination, method }: Delivery): SlotZone | null =>
  slotZoneOf(settings.shipping, destination, method);

/** The slot that the order gets; null if the cart holds none. */
export function bookedSlot({ slot: reading }: CartReading, delivery: Delivery): BookedSlot | null {
  const zone = slotZoneFor(delivery);
  if (reading.kind !== "held" || !zone) return null;
  const { method: _method, ...slot } = reading.slot;
  return { ...slot, confirm_by: confirmBy(slot.date, zone, delivery.settings) };
}

const ofSlots: ReadonlySet<string> = new Set(["slot_expired", "slot_taken"]);

/** Runs a part of a checkout. If it refuses the cart's slot, the error offers the next free ones. */
export async function offeringSlots<Result>(
  { slot: reading, lines }: CartReading,
  delivery: Delivery,
  { table }: { readonly table: Pick<Table, "query"> },
  part: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof AppError) || !("slot" in reading) || !ofSlots.has(error.code))
      throw error;
    const { settings, now } = delivery;
    const items = lines.map(({ line }) => line);
    const zone = slotZoneFor(delivery);
    const earliest = zone && earliestDay(items, zone, settings, now);
    const choice =
      zone && earliest !== null
        ? { zone, earliest, settings, holder: reading.hold.holder, now }
        : null;
    throw await slotRefused(error, reading.slot, table, choice);
  }
}
