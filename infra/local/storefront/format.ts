import { bootstrap } from "./shop.ts";

const locale = () => bootstrap.value?.store.locale ?? "en-IN";

/** @param amount in the smallest unit of the currency, as everywhere in the API */
export function money(amount: number, currency = bootstrap.value?.store.currency ?? "INR"): string {
  const style = { style: "currency", currency } as const;
  const digits = new Intl.NumberFormat(locale(), style).resolvedOptions().maximumFractionDigits;
  const whole = amount / 10 ** (digits ?? 2);
  const fractions = Number.isInteger(whole) ? { maximumFractionDigits: 0 } : {};
  return new Intl.NumberFormat(locale(), { ...style, ...fractions }).format(whole);
}

/** A day, from `YYYY-MM-DD` or a moment. */
export function day(text: string, weekday: "short" | "long" = "short"): string {
  const isDay = text.length === 10;
  return new Intl.DateTimeFormat(locale(), {
    weekday,
    day: "numeric",
    month: "short",
    timeZone: isDay ? "UTC" : (bootstrap.value?.store.timezone ?? "UTC"),
  }).format(new Date(text));
}

export const moment = (text: string): string =>
  new Intl.DateTimeFormat(locale(), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: bootstrap.value?.store.timezone ?? "UTC",
  }).format(new Date(text));

export const days = ({ min_days, max_days }: { min_days: number; max_days: number }): string =>
  min_days === max_days ? `${max_days} days` : `${min_days} to ${max_days} days`;

/** Two days, such as an order's promise. */
export const span = ({ min_on, max_on }: { min_on: string; max_on: string }): string =>
  min_on === max_on ? day(min_on) : `${day(min_on)} to ${day(max_on)}`;

export const centimetres = (mm: number): string => `${(mm / 10).toLocaleString(locale())} cm`;

/** `made_to_order` as `Made to order`. */
export const words = (code: string): string => (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll("_", " ");

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString(locale())} ${number === 1 ? one : many}`;
