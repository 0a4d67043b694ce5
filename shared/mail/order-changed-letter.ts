import type { ChangeRow } from "../domain/order/ledger/change-row.ts";
import { mayChooseSlot, slotIsFree } from "../domain/order/edit/slot-choice.ts";
import { valueOf } from "../domain/order/ledger/order-value.ts";
import type { OrderRecord, StoredOrder } from "../domain/order/order.ts";
import { totalsNow } from "../domain/order/view/order-view.ts";
import { amountToPay, heldAmount, mayPayBalance, surplusOf } from "../domain/payment/owing.ts";
import type { PaymentSettings, Settings } from "../domain/settings/settings.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type Block, type Fact, type Letter, facts, link, paragraph } from "./letter.ts";
import { balanceToPay } from "./order-letters.ts";
import { bankTakesDays, pieces, toBuyer, wayBack } from "./order-step-letters.ts";
import { deliveryFacts, followLink, moment, money } from "./wording.ts";

/**
 * Says what staff changed in an order, what is due and how to pay it, or what comes back.
 *
 * @param options.url opens the page of the order; null if nobody can open it
 */
export function orderChangedLetter(
  store: StoreSettings,
  record: OrderRecord,
  change: ChangeRow,
  { settings, url }: { readonly settings: LetterSettings; readonly url: string | null },
): Letter {
  const { order, rows } = record;
  const { id, taken_off, came_back, reduced, added, shipping } = change;
  const { number, currency } = order;
  const { current, due } = totalsNow(order);
  const amount = (of: number) => money(store, of, currency);
  const less = reduced.reduce((sum, each) => sum + each.amount, 0);
  const refunds = rows.transactions.filter(
    ({ change_id, state }) => change_id === id && state !== "failed",
  );
  const back = refunds.reduce((sum, each) => sum + each.amount, 0) + surplusOf(order);
  const ways = [...new Set(refunds.map(({ method }) => method))];
  const list = (title: string, items: typeof taken_off): Block[] =>
    items.length === 0 ? [] : [facts(title, pieces(order, items))];
  const sums: Fact[] = [
    ...(less > 0 ? [["Price reduction", `−${amount(less)}`] as const] : []),
    ["New total", amount(current), "strong"],
    ...(due > 0 ? [["Still to pay", amount(due)] as const] : []),
    ...(back > 0 ? [["You get back", amount(back)] as const] : []),
    ...(ways.length > 0 ? [["How", ways.map((way) => wayBack[way]).join(", ")] as const] : []),
  ];
  return toBuyer(store, order, `Your order ${number} at ${store.name} was changed`, [
    paragraph(`We have changed your order ${number}.`),
    ...list("Taken off your order", taken_off),
    ...list("Returned to us", came_back),
    ...list("Added to your order", added),
    ...(shipping ? deliveryNow(store, record, change) : []),
    facts("Your order now", sums),
    ...(ways.some((way) => way !== "cod") ? [paragraph(bankTakesDays)] : []),
    ...howToPay(store, order, settings.payments, url),
    ...(shipping && url !== null && mayChooseSlot(record, settings)
      ? [link("Choose a delivery time", url)]
      : []),
    followLink(store, order),
  ]);
}

type LetterSettings = Pick<Settings, "payments" | "shipping" | "store">;

/** How and when the order is delivered now, and what that costs. */
function deliveryNow(store: StoreSettings, record: OrderRecord, { at }: ChangeRow): Block[] {
  const { order, rows } = record;
  const released = rows.timeline.find((entry) => entry.type === slotIsFree.type && entry.at === at);
  return [
    deliveryFacts(store, order, [
      ["Price", money(store, valueOf(record).shipping, order.currency)],
    ]),
    ...(released && order.slot === null ? [paragraph(released.message)] : []),
  ];
}

/** How to pay what the buyer has to pay now. */
function howToPay(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  url: string | null,
): Block[] {
  const { payment_method, currency, addition } = order;
  if (order.status !== "pending_payment" && !mayPayBalance(order)) return [];
  if (payment_method === "bank_transfer") return balanceToPay(store, order, payments, url);
  const amount = payment_method === "cod" ? heldAmount(order) : amountToPay(order);
  const until = addition?.due_at;
  if (amount === 0) return [];
  const rows: Fact[] = [
    ["Amount", money(store, amount, currency), "strong"],
    ...(until ? [["Please pay before", moment(store, until)] satisfies Fact] : []),
  ];
  return [facts("How to pay", rows), ...(url === null ? [] : [link("Pay now", url)])];
}
