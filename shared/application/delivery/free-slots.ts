import type { Shop } from "#shared/application/shop.ts";
import type { SaleReading } from "#shared/domain/cart/cart-view.ts";
import type { Day } from "#shared/domain/base/text.ts";
import {
  type Place,
  type ChosenSlot,
  slotOf,
  type BookedSlot,
} from "#shared/domain/delivery/delivery-slot.ts";
import { type SlotCalendar, calendarOf, firstFree } from "#shared/domain/delivery/slot-calendar.ts";
import {
  type ReadyLine,
  type SlotZone,
  type WantedDelivery,
  lastDay,
  confirmBy,
  slotTermsFor,
} from "#shared/domain/delivery/slot-zone.ts";
import { AppError, invalidField } from "#shared/domain/request/app-error.ts";
import type { Settings } from "#shared/domain/settings/settings.ts";
import {
  readDays,
  readPlace,
  dayUnchanged,
  putCount,
} from "#shared/storage/delivery/delivery-places.ts";
import type { Table } from "#shared/storage/table.ts";
import { capacityOf, withBooking } from "#shared/domain/delivery/place-count.ts";
import { earliestDayOf } from "#shared/domain/order/edit/order-slot.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { slotZoneOfOrder } from "#shared/domain/order/edit/slot-choice.ts";
import type { Write } from "#shared/storage/writes.ts";

/** The slots that a buyer can choose from. */
export interface SlotChoice {
  readonly zone: SlotZone;
  /** The first day that can be promised. */
  readonly earliest: Day;
  readonly settings: Pick<Settings, "shipping" | "store">;
  /** Where the request has the slot; undefined if the whole body is one. */
  readonly path?: string;
  /** Whose own hold does not take a place. */
  readonly holder?: string | undefined;
  readonly now: Date;
}

/** The calendar of a delivery for which no day can be chosen. */
export const emptyCalendar: SlotCalendar = { zone: null, earliest_on: null, days: [] };

/**
 * Reads the calendar of a zone.
 *
 * @param choice `earliest` is null if the day is chosen later: the calendar then has no days
 */
export async function readCalendar(
  table: Pick<Table, "page">,
  { earliest, ...choice }: Omit<SlotChoice, "earliest"> & { readonly earliest: Day | null },
): Promise<SlotCalendar> {
  const zone = choice.zone.code;
  if (earliest === null) return { ...emptyCalendar, zone };
  const days = await readFreeDays(table, { ...choice, earliest });
  return { zone, earliest_on: days[0]?.date ?? earliest, days };
}

/** Reads the days that can be chosen now. */
async function readFreeDays(
  table: Pick<Table, "page">,
  { zone, earliest, settings, holder, now }: SlotChoice,
): Promise<SlotCalendar["days"]> {
  const range = { from: earliest, to: lastDay(zone, settings, now) };
  if (range.from > range.to) return [];
  return calendarOf(zone, range, await readDays(table, zone.code, range), { now, holder });
}

/** How many other slots a refusal offers. */
const mostOffered = 3;

/**
 * The error for a slot that cannot be had, with the next free ones as `details.alternatives`.
 *
 * @param wanted comes first if it is free
 * @param choice null if there are no slots to choose from
 */
export async function slotRefused(
  refusal: AppError,
  wanted: Pick<Place, "date" | "window">,
  table: Pick<Table, "page">,
  choice: SlotChoice | null,
): Promise<AppError> {
  const alternatives = choice
    ? firstFree(choice.zone, await readFreeDays(table, choice), wanted, mostOffered)
    : [];
  const { code, message, cause } = refusal;
  return new AppError(code, { message, details: { alternatives }, cause });
}

/** The field and the message with which a request is refused where no day can be chosen. */
type NoChoice = Readonly<
  Record<"no_slots" | "made_to_order", readonly [path: string, why: string]>
>;

/**
 * The zone of a delivery, and the first day that can be promised for its lines.
 *
 * @throws AppError `validation_failed` as `refused` says
 */
export function choiceFor(
  lines: readonly ReadyLine[],
  delivery: WantedDelivery,
  refused: NoChoice,
): Pick<SlotChoice, "zone" | "earliest"> {
  const terms = slotTermsFor(lines, delivery);
  if (!terms) throw invalidField(...refused.no_slots);
  const { zone, earliest } = terms;
  if (earliest === null) throw invalidField(...refused.made_to_order);
  return { zone, earliest };
}

const ofSlots: ReadonlySet<string> = new Set(["slot_expired", "slot_taken"]);

/** Runs a part of placing an order. If it refuses the cart's slot, the error offers the next free ones. */
export async function offeringSlots<Result>(
  { slot: reading, lines }: SaleReading,
  delivery: WantedDelivery,
  { table }: Shop<"table">,
  part: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof AppError) || !("slot" in reading) || !ofSlots.has(error.code))
      throw error;
    const items = lines.map(({ line }) => line);
    const { zone, earliest = null } = slotTermsFor(items, delivery) ?? {};
    const choice =
      zone && earliest !== null
        ? { ...delivery, zone, earliest, holder: reading.hold.holder }
        : null;
    throw await slotRefused(error, reading.slot, table, choice);
  }
}

/**
 * The chosen place as it is stored, with its capacity: 0 if its day is not offered.
 *
 * @throws AppError `validation_failed` for an unknown window
 */
export async function readWantedPlace(
  table: Pick<Table, "getMany">,
  { date, window: code }: ChosenSlot,
  { zone, earliest, settings, path, now }: SlotChoice,
) {
  const window = zone.slots.windows.find((each) => each.code === code);
  const member = path === undefined ? "window" : `${path}.window`;
  if (!window) throw invalidField(member, "The selected window is invalid.");
  const place = slotOf(zone, date, window);
  const { day, count: before } = await readPlace(table, place);
  const isOffered = date >= earliest && date <= lastDay(zone, settings, now);
  return { day, place, before, capacity: isOffered ? capacityOf(window, zone, date, day) : 0, now };
}

/** The slots that an order can have; null if its zone or method has none. */
export function slotChoiceFor(
  order: StoredOrder,
  settings: SlotChoice["settings"],
  now: Date,
): SlotChoice | null {
  const zone = slotZoneOfOrder(order, settings);
  return zone && { zone, earliest: earliestDayOf(order, zone, settings, now), settings, now };
}

/**
 * The slot with the writes that book its place.
 *
 * @throws AppError `validation_failed` for an unknown window, `slot_taken` with alternatives
 */
export async function bookPlace(
  table: Pick<Table, "getMany" | "page">,
  wanted: ChosenSlot,
  choice: SlotChoice,
): Promise<{ slot: BookedSlot; writes: Write[] }> {
  const { day, place, before, ...rest } = await readWantedPlace(table, wanted, choice);
  const count = withBooking({ place, before, ...rest });
  if (!count) throw await slotRefused(new AppError("slot_taken"), wanted, table, choice);
  return {
    slot: {
      ...place,
      confirm_by: confirmBy(place.date, choice.zone, choice.settings),
      has_left: false,
    },
    writes: [dayUnchanged(place, day), putCount(count, before)],
  };
}
