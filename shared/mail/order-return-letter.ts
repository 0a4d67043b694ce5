import type { OrderRecord } from "../domain/order/order.ts";
import {
  type OrderReturn,
  type ReturnEvent,
  afterInspection,
  awaitsGiveBack,
  buyersUnits,
} from "../domain/order/returns/order-return.ts";
import type { DeliverySlot } from "../domain/delivery/delivery-slot.ts";
import { totalsNow } from "../domain/order/view/order-view.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type Block, type Fact, type Letter, facts, paragraph } from "./letter.ts";
import { named, pieces, toBuyer } from "./order-step-letters.ts";
import { day, money, openLink } from "./wording.ts";

/** What the letter about each event says. */
const said: Readonly<Record<ReturnEvent, string>> = {
  requested: "We have received your request. We will answer it soon.",
  approved: "Your return is approved. We will tell you how the items come back to us.",
  declined: "We are sorry, we cannot take these items back.",
  pickup_scheduled: "We will collect the items at your address.",
  received: "The items have arrived. We will check them and write to you again.",
  inspected: "We have checked the items. This is what we found.",
  refunded: "We have checked the items and refund you.",
  exchanged: "We have checked the items and send you others.",
  repaired: "Your item is repaired, or its parts are on their way to you.",
  closed: "Your return is closed.",
  cancelled: "Your return was cancelled. Nothing will be collected.",
  give_back_planned: "We will bring back the items that stay yours.",
  given_back: "You have back the items that stay yours.",
};

const subjects: Readonly<Record<ReturnEvent, string>> = {
  requested: "We have received your request",
  approved: "Your return is approved",
  declined: "We cannot take your return",
  pickup_scheduled: "We will collect your return",
  received: "Your return has arrived",
  inspected: "We have checked your return",
  refunded: "Your return is refunded",
  exchanged: "Your exchange",
  repaired: "Your repair",
  closed: "Your return is closed",
  cancelled: "Your return is cancelled",
  give_back_planned: "We will bring back your items",
  given_back: "You have back your items",
};

/**
 * Tells the buyer where a return is.
 *
 * @param options.status the event that the letter is about; the return may have moved on since
 * @param options.url opens the page of the order; null if nobody can open it
 */
export function orderReturnLetter(
  store: StoreSettings,
  record: OrderRecord,
  found: OrderReturn,
  { status, url }: { readonly status: string; readonly url: string | null },
): Letter | undefined {
  const about = eventNamed(status);
  if (!about) return undefined;
  const { order } = record;
  const { answer, pickup, give_back, items } = found;
  const isAboutGiveBack = about === "give_back_planned" || about === "given_back";
  return toBuyer(store, order, `${subjects[about]} for order ${named(store, order)}`, [
    paragraph(said[about]),
    ...(answer === null ? [] : [paragraph(answer)]),
    facts("Your return", pieces(order, isAboutGiveBack ? buyersUnits(items) : items)),
    ...(about === "pickup_scheduled" && pickup ? [facts("Pickup", [whenOf(store, pickup)])] : []),
    ...(give_back && awaitsGiveBack(found)
      ? [facts("Back to you", [whenOf(store, give_back)])]
      : []),
    ...inspected(record, found, about),
    ...sums(store, record, found, about),
    openLink(store, order, url),
  ]);
}

const whenOf = (store: StoreSettings, { date, from, to }: DeliverySlot): Fact => [
  "When",
  `${day(store, date)}, ${from} to ${to}`,
];

const eventNamed = (name: string): ReturnEvent | undefined =>
  Object.keys(said).find((each): each is ReturnEvent => each === name);

const isAfterInspection = (event: ReturnEvent): boolean =>
  [...afterInspection].some((status) => status === event);

/** What the inspection has found, item by item. */
function inspected({ order }: OrderRecord, { items }: OrderReturn, about: ReturnEvent): Block[] {
  if (!isAfterInspection(about)) return [];
  const rows = items.flatMap(({ id, inspection }): Fact[] => {
    const line = order.items.find((each) => each.id === id);
    if (!line || !inspection) return [];
    const { accepted, refused, missing } = inspection;
    const words = [
      ...(accepted > 0 ? [`${accepted} accepted`] : []),
      ...(refused > 0 ? [`${refused} not accepted, back to you`] : []),
      ...(missing > 0 ? [`${missing} missing`] : []),
    ];
    return [[line.name, words.join(", ")]];
  });
  return rows.length === 0 ? [] : [facts("What we found", rows)];
}

function sums(
  store: StoreSettings,
  { order }: OrderRecord,
  { fee, credited, refunded }: OrderReturn,
  about: ReturnEvent,
): Block[] {
  if (!isAfterInspection(about) || credited + fee === 0) return [];
  const { current, due } = totalsNow(order);
  const amount = (of: number) => money(store, of, order.currency);
  return [
    facts("Your order now", [
      ...(fee > 0 ? [["Fee of the return", amount(fee)] satisfies Fact] : []),
      ["New total", amount(current), "strong"],
      ...(refunded > 0 ? [["You get back", amount(refunded)] satisfies Fact] : []),
      ...(due > 0 ? [["Still to pay", amount(due)] satisfies Fact] : []),
    ]),
  ];
}
