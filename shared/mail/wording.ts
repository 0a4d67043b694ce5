import { memoized } from "../domain/base/memoize.ts";
import { writtenAmount } from "../domain/base/money.ts";
import { type StoredOrder, isCollected } from "../domain/order/order.ts";
import type { LineIdentity } from "../domain/pricing/priced-line.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import {
  type Block,
  type Fact,
  facts,
  link,
  storefrontLink,
  waysToReach,
  withoutLinks,
} from "./letter.ts";

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

/** The choices of a configured line, shown under its name. Lines of early orders have none. */
export const choiceFacts = ({ choices = [] }: Partial<Pick<LineIdentity, "choices">>): Fact[] =>
  choices.map(({ label, value }) => [label, value, "detail"]);

/** The wording for each delivery method. */
interface DeliveryWords {
  readonly name: string;
  readonly payCash: string;
  readonly restInCash: string;
  readonly sent: {
    readonly subject: string;
    readonly said: string;
    readonly pieces: string;
    readonly toPay: string;
  };
  readonly handedOver: { readonly said: string; readonly pieces: string };
}

const brought: DeliveryWords = {
  name: "Delivery",
  payCash: "In cash, when it arrives",
  restInCash: "Please have the rest ready when your order arrives.",
  sent: {
    subject: "is on its way",
    said: "has left our warehouse",
    pieces: "What is on its way",
    toPay: "To be paid when it arrives",
  },
  handedOver: { said: "has been delivered", pieces: "What has arrived" },
};

const collected: DeliveryWords = {
  name: "Collection",
  payCash: "In cash, when you collect",
  restInCash: "Please pay the rest when you collect your order.",
  sent: {
    subject: "is ready to collect",
    said: "is ready to collect",
    pieces: "What is ready",
    toPay: "To be paid when you collect",
  },
  handedOver: { said: "has been collected", pieces: "What you have collected" },
};

export const deliveryWords = (order: StoredOrder): DeliveryWords =>
  isCollected(order) ? collected : brought;

/** Where a buyer receives an order: at the shipping address or, for pickup, at the shop. */
export function whereFacts(store: StoreSettings, order: StoredOrder): Fact[] {
  if (!isCollected(order)) return [["Where", addressLine(order)]];
  const ways = waysToReach(store);
  return [
    ["Where", [store.name, ...store.address_lines].join(", ")],
    ...(ways === "" ? [] : [["Contact", ways] as const]),
  ];
}

function addressLine({ addresses: { shipping } }: StoredOrder): string {
  const { name, line1, line2, landmark, city, state, postal_code, country } = shipping;
  const parts = [name, line1, line2, landmark, city, state, postal_code, country];
  return withoutLinks(parts.filter((part) => part !== null).join(", "));
}

/** The block with the promised delivery. @param more further facts, after how and when */
export function deliveryFacts(
  store: StoreSettings,
  order: StoredOrder,
  more: readonly Fact[] = [],
): Block {
  return facts(deliveryWords(order).name, [
    ["How", order.shipping.label],
    ["When", deliveryTime(store, order)],
    ...more,
    ...whereFacts(store, order),
  ]);
}

/** A link to the tracking page, which anybody with the order number can read. */
export const followLink = (store: StoreSettings, { number }: Pick<StoredOrder, "number">): Block =>
  link("Follow your order", storefrontLink(store, `/orders/track/${number}`));

/** A link to the page of the order, if the mail may contain it. */
export const openLink = (store: StoreSettings, order: StoredOrder, url: string | null): Block =>
  url === null ? followLink(store, order) : link("Open your order", url);

/**
 * The page of the storefront on which a buyer opens, pays and cancels an order. Customers sign in there. A guest's token
 * is in the fragment, which browsers send to no server.
 *
 * @param token of the order's link; null for an account's order
 * @returns null if nobody can open the order, because its account was deleted
 */
export function orderUrl(
  store: Pick<StoreSettings, "storefront_url">,
  { id, customer }: Pick<StoredOrder, "id" | "customer">,
  token: string | null,
): string | null {
  const page = storefrontLink(store, `/orders/${id}`);
  if (token !== null) return `${page}#${new URLSearchParams({ token }).toString()}`;
  return customer.id === null ? null : page;
}
