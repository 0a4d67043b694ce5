import type { Day } from "../../domain/base/text.ts";
import type { Place } from "../../domain/delivery/delivery-slot.ts";
import { type SlotCalendar, calendarOf, firstFree } from "../../domain/delivery/slot-calendar.ts";
import { type SlotZone, lastDay } from "../../domain/delivery/slot-zone.ts";
import { AppError } from "../../domain/request/app-error.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { readDays } from "../../storage/delivery/delivery-places.ts";
import type { Table } from "../../storage/table.ts";

/** The slots that a buyer can choose from. */
export interface SlotChoice {
  readonly zone: SlotZone;
  /** The first day that can be promised. */
  readonly earliest: Day;
  readonly settings: Pick<Settings, "shipping" | "store">;
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
  table: Pick<Table, "query">,
  { earliest, ...choice }: Omit<SlotChoice, "earliest"> & { readonly earliest: Day | null },
): Promise<SlotCalendar> {
  const zone = choice.zone.code;
  if (earliest === null) return { ...emptyCalendar, zone };
  const days = await readFreeDays(table, { ...choice, earliest });
  return { zone, earliest_on: days[0]?.date ?? earliest, days };
}

/** Reads the days that can be chosen now. */
async function readFreeDays(
  table: Pick<Table, "query">,
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
  table: Pick<Table, "query">,
  choice: SlotChoice | null,
): Promise<AppError> {
  const alternatives = choice
    ? firstFree(choice.zone, await readFreeDays(table, choice), wanted, mostOffered)
    : [];
  const { code, message, cause } = refusal;
  return new AppError(code, { message, details: { alternatives }, cause });
}
