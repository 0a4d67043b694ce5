import type { StoredOrder } from "../domain/order/order.ts";
import { paymentOf, totalsNow } from "../domain/order/view/order-view.ts";
import { amountDue } from "../domain/payment/owing.ts";
import type { PaymentSettings } from "../domain/settings/settings.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import {
  type Block,
  type Fact,
  type Letter,
  facts,
  greeting,
  letter,
  link,
  paragraph,
} from "./letter.ts";
import { choiceFacts, deliveryFacts, deliveryWords, moment, money, openLink } from "./wording.ts";

/**
 * Confirms an order.
 *
 * @param url opens the order; null in the shop's copy, whose links let nobody act for the buyer, and if nobody can open
 * the order
 */
export function orderPlacedLetter(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  url: string | null,
): Letter {
  const { number, customer, items, currency } = order;
  return letter(store, {
    subject: `Your order ${number} at ${store.name}`,
    greeting: greeting(customer.name),
    blocks: [
      paragraph(`Thank you for your order ${number}.`),
      facts(
        "What you ordered",
        items.flatMap((item): Fact[] => [
          [
            `${item.name} × ${item.quantity}`,
            money(store, item.line_subtotal, currency),
            "item",
            item.image,
          ],
          ...choiceFacts(item),
        ]),
      ),
      facts("What it costs", costs(store, order)),
      ...howToPay(store, order, payments, url),
      deliveryFacts(store, order),
      openLink(store, order, url),
    ],
  });
}

/** Confirms a new payment method. @param url opens the order; null if nobody can open it */
export function orderPaymentChangedLetter(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  url: string | null,
): Letter {
  const { number, customer } = order;
  return letter(store, {
    subject: `How to pay for your order ${number} at ${store.name}`,
    greeting: greeting(customer.name),
    blocks: [
      paragraph(`You have chosen another payment method for your order ${number}.`),
      ...howToPay(store, order, payments, url),
      deliveryFacts(store, order),
      openLink(store, order, url),
    ],
  });
}

function costs(store: StoreSettings, order: StoredOrder): Fact[] {
  const { totals, currency, coupon_code } = order;
  const { items_subtotal, discount, shipping, shipping_tax, tax, grand_total } = totals;
  const amount = (of: number) => money(store, of, currency);
  // If the shop's prices include tax, items, discount and shipping add up to the total.
  const included = items_subtotal - discount + shipping === grand_total;
  const rows: Fact[] = [["Items", amount(items_subtotal)]];
  if (discount > 0) rows.push([`Discount ${coupon_code ?? ""}`.trim(), `−${amount(discount)}`]);
  rows.push([deliveryWords(order).name, shipping === 0 ? "Free" : amount(shipping)]);
  // Shipping always includes its tax, so only the items' tax is added.
  if (!included) rows.push(["Tax on the items", amount(tax - shipping_tax)]);
  rows.push(["Total", amount(grand_total), "strong"]);
  if (included && tax > 0) rows.push(["Of which tax", amount(tax)]);
  return rows;
}

/** The parts of an order that is paid in parts. */
function partsFacts(store: StoreSettings, order: StoredOrder): Block[] {
  const { deposit, totals, currency } = order;
  if (!deposit) return [];
  const rest = totals.grand_total - deposit.amount;
  const when = order.payment_method === "cod" ? "in cash on delivery" : "before we send your order";
  return [
    facts("You pay in two parts", [
      ["Deposit", money(store, deposit.amount, currency)],
      [`Balance, ${when}`, money(store, rest, currency)],
    ]),
  ];
}

/** How to pay the balance of an order. @param url of the page of the order; null if the mail contains no link to it */
export function balanceToPay(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  url: string | null,
): Block[] {
  const { payment_method, deposit, currency } = order;
  if (payment_method !== "gateway") return howToPay(store, order, payments, url);
  const rows: Fact[] = [
    ["Amount", money(store, amountDue(order), currency), "strong"],
    ...(deposit?.due_at
      ? [["Please pay before", moment(store, deposit.due_at)] satisfies Fact]
      : []),
  ];
  return [facts("How to pay", rows), ...(url === null ? [] : [link("Pay now", url)])];
}

function howToPay(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  url: string | null,
): Block[] {
  const { method, amount_due, currency, action } = paymentOf(order, payments);
  const due = money(store, amount_due, currency);
  if (action.type === "bank_details") {
    const { account_name, account_number, bank, branch, routing_code } = action.account;
    const rows: Fact[] = [
      ["Amount", due, "strong"],
      ["Reference", action.reference, "strong"],
      ["Account name", account_name],
      ["Account number", account_number],
      ["Bank", branch === null ? bank : `${bank}, ${branch}`],
      ["Bank code", routing_code],
      ...(action.expires_at === null
        ? []
        : [["Please pay before", moment(store, action.expires_at)] satisfies Fact]),
    ];
    return [
      ...partsFacts(store, order),
      facts("How to pay", rows),
      paragraph(
        `We ${order.status === "pending_payment" ? "start" : "continue"} as soon as your transfer arrives. ` +
          "Please give the reference, so that we know it is yours.",
      ),
    ];
  }
  if (method === "gateway" && order.status === "pending_payment" && order.expires_at !== null) {
    const rows: Fact[] = [
      ["Amount", due, "strong"],
      ["How", payments.gateway.label],
      ["Please pay before", moment(store, order.expires_at)],
    ];
    const where = order.customer.id === null ? "you can do so here" : "sign in and do so here";
    const how = url === null ? "" : `If you have not paid yet, ${where}. `;
    return [
      ...partsFacts(store, order),
      facts("How to pay", rows),
      paragraph(`${how}Until then we hold your items for you.`),
      ...(url === null ? [] : [link("Pay now", url)]),
    ];
  }
  if (method === "cod" && amount_due > 0) {
    const cash = money(store, totalsNow(order).cash_due, currency);
    return [facts("How to pay", [[deliveryWords(order).payCash, cash, "strong"]])];
  }
  return [];
}
