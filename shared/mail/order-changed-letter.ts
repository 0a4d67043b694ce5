import type { ChangeRow } from "../domain/order/change-row.ts";
import type { OrderRecord } from "../domain/order/order.ts";
import { totalsNow } from "../domain/order/order-view.ts";
import { surplusOf } from "../domain/payment/payment.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import { type Block, type Fact, type Letter, facts, paragraph } from "./letter.ts";
import { pieces, toBuyer } from "./order-step-letters.ts";
import { followLink, money } from "./wording.ts";

/** Says what staff changed in an order, and what is due or comes back. */
export function orderChangedLetter(
  store: StoreSettings,
  { order, rows }: OrderRecord,
  { id, taken_off, came_back, reduced }: ChangeRow,
): Letter {
  const { number, currency } = order;
  const { current, due } = totalsNow(order);
  const amount = (of: number) => money(store, of, currency);
  const less = reduced.reduce((sum, each) => sum + each.amount, 0);
  const refunds = rows.transactions.filter(
    ({ change_id, state }) => change_id === id && state !== "failed",
  );
  const back = refunds.reduce((sum, each) => sum + each.amount, 0) + surplusOf(order);
  const list = (title: string, items: typeof taken_off): Block[] =>
    items.length === 0 ? [] : [facts(title, pieces(order, items))];
  const sums: Fact[] = [
    ...(less > 0 ? [["Price reduction", `−${amount(less)}`] as const] : []),
    ["New total", amount(current), "strong"],
    ...(due > 0 ? [["Still to pay", amount(due)] as const] : []),
    ...(back > 0 ? [["You get back", amount(back)] as const] : []),
  ];
  return toBuyer(store, order, `Your order ${number} at ${store.name} was changed`, [
    paragraph(`We have changed your order ${number}.`),
    ...list("Taken off your order", taken_off),
    ...list("Returned to us", came_back),
    facts("Your order now", sums),
    followLink(store, order),
  ]);
}
