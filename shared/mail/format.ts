import { memoized } from "../domain/base/memoize.ts";
import { writtenAmount } from "../domain/base/money.ts";
import type { StoredOrder } from "../domain/order/order.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";

/** An amount in minor units, formatted for the shop: `₹45,990.00`. */
export function money({ locale }: StoreSettings, amount: number, currency: string): string {
  return writtenAmount(amount, currency, locale);
}

const clockOf = memoized(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(englishOf(locale), {
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZone,
      timeZoneName: "short",
    }),
);

const calendarOf = memoized(
  (locale: string) =>
    new Intl.DateTimeFormat(englishOf(locale), { dateStyle: "long", timeZone: "UTC" }),
);

/** A time in the shop's time zone, such as "21 November 2026 at 12:00 pm IST". */
export const moment = ({ locale, timezone }: StoreSettings, at: string): string =>
  clockOf(locale, timezone).format(new Date(at));

/** A calendar day, such as "28 November 2026". */
export const day = ({ locale }: StoreSettings, on: string): string =>
  calendarOf(locale).format(new Date(on));

/** When an order is to arrive, such as "28 November 2026, Morning (09:00–13:00)". */
export function deliveryTime(
  store: StoreSettings,
  { slot, shipping: { promised } }: Pick<StoredOrder, "slot" | "shipping">,
): string {
  if (!slot) return `${day(store, promised.min_on)} to ${day(store, promised.max_on)}`;
  return `${day(store, slot.date)}, ${slot.label} (${slot.from}–${slot.to})`;
}

/** Mails are in English, and so are the names of months. The locale's region decides the order of day and month. */
function englishOf(locale: string): string {
  const { region } = new Intl.Locale(locale);
  return region ? `en-${region}` : "en";
}
