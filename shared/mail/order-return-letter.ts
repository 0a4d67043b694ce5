import type { OrderRecord, StoredOrder } from "../domain/order/order.ts";
import {
  type OrderReturn,
  type ReturnEvent,
  afterInspection,
  awaitsSendBack,
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
  send_back_planned: "We will bring back the items that stay yours.",
  sent_back: "You have back the items that stay yours.",
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
  send_back_planned: "We will bring back your items",
  sent_back: "Your items are back with you",
};

/**
 * Tells the buyer where a return is.
 *
 * @param options.status the event that the letter is about; the return may have moved on since
 * @param options.answer what the shop writes to the buyer about it
 * @param options.change_id the change of the order that it has made; null if it made none
 * @param options.url opens the page of the order; null if nobody can open it
 */
export function orderReturnLetter(
  store: StoreSettings,
  record: OrderRecord,
  found: OrderReturn,
  {
    status,
    answer,
    change_id,
    url,
  }: {
    readonly status: string;
    readonly answer: string | null;
    readonly change_id: string | null;
    readonly url: string | null;
  },
): Letter | undefined {
  const about = eventNamed(status);
  if (!about) return undefined;
  const { order } = record;
  const { pickup, send_back, items } = found;
  const isAboutSendBack = about === "send_back_planned" || about === "sent_back";
  return toBuyer(store, order, `${subjects[about]} for order ${named(store, order)}`, [
    paragraph(said[about]),
    ...(answer === null ? [] : [paragraph(answer)]),
    facts(
      found.kind === "warranty" ? "Your claim" : "Your return",
      pieces(order, isAboutSendBack ? buyersUnits(items) : items),
    ),
    ...added(order, change_id),
    ...(about === "pickup_scheduled" && pickup ? [facts("Pickup", [whenOf(store, pickup)])] : []),
    ...(send_back && awaitsSendBack(found)
      ? [facts("Back to you", [whenOf(store, send_back)])]
      : []),
    ...inspected(record, found, about),
    ...sums(store, record, found, about),
    openLink(store, order, url),
  ]);
}

/** What the buyer gets by the change: other goods, or parts. */
function added(order: StoredOrder, changeId: string | null): Block[] {
  const lines = order.items.filter(({ change_id }) => change_id !== null && change_id === changeId);
  return lines.length === 0 ? [] : [facts("You get", pieces(order, lines))];
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
  const { current, due, cash_due } = totalsNow(order);
  const toPay = order.payment_method === "cod" ? cash_due : due;
  const amount = (of: number) => money(store, of, order.currency);
  return [
    facts("Your order now", [
      ...(fee > 0 ? [["Fee of the return", amount(fee)] satisfies Fact] : []),
      ["New total", amount(current), "strong"],
      ...(refunded > 0 ? [["You get back", amount(refunded)] satisfies Fact] : []),
      ...(due > 0 ? [["Still to pay", amount(toPay)] satisfies Fact] : []),
    ]),
  ];
}
