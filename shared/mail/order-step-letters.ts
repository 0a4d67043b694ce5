import { inWords } from "../domain/base/names.ts";
import { invoicesOf } from "../domain/order/invoice/invoiced-supplies.ts";
import { hasUnsent, unitsIn } from "../domain/order/ledger/order-units.ts";
import type { Attention, OrderRecord, Shipment, StoredOrder } from "../domain/order/order.ts";
import { totalsNow } from "../domain/order/view/order-view.ts";
import { surplusOf } from "../domain/payment/owing.ts";
import { type Transaction, isInEffect } from "../domain/payment/payment.ts";
import type { PaymentSettings } from "../domain/settings/settings.ts";
import type { StoreSettings } from "../domain/settings/store-settings.ts";
import {
  type Block,
  type Fact,
  type Letter,
  adminLink,
  facts,
  greeting,
  letter,
  link,
  paragraph,
  storefrontLink,
  waysToReach,
} from "./letter.ts";
import { balanceToPay } from "./order-letters.ts";
import {
  choiceFacts,
  deliveryFacts,
  deliveryTime,
  deliveryWords,
  followLink,
  money,
  openLink,
  whereFacts,
} from "./wording.ts";

export function orderPaidLetter(store: StoreSettings, { order }: OrderRecord): Letter {
  const { number, currency, paid } = order;
  const { due } = totalsNow(order);
  if (order.deposit && due > 0) {
    return toBuyer(store, order, `We have received the deposit for order ${named(store, order)}`, [
      paragraph(`Thank you. Your order ${number} is confirmed.`),
      facts("Payment", [
        ["We have received", money(store, paid, currency), "strong"],
        ["Balance", money(store, due, currency)],
      ]),
      paragraph("We will ask you for the balance when your order is ready to be sent."),
      deliveryFacts(store, order),
      followLink(store, order),
    ]);
  }
  return toBuyer(store, order, `We have received your payment for order ${named(store, order)}`, [
    paragraph(`Thank you. Your order ${number} is paid and confirmed.`),
    facts("Payment", [["We have received", money(store, paid, currency), "strong"]]),
    ...tooMuch(store, order),
    deliveryFacts(store, order),
    followLink(store, order),
  ]);
}

function tooMuch(store: StoreSettings, order: StoredOrder): Block[] {
  const { currency } = order;
  const surplus = surplusOf(order);
  if (surplus === 0) return [];
  return [
    paragraph(
      `That is ${money(store, surplus, currency)} more than the order costs. We will get in touch with you about it.`,
    ),
  ];
}

/**
 * Asks for the balance of an order that is ready to be sent.
 *
 * @param options.url of the page of the order; null if the mail contains no link to it
 * @param options.isReminder whether an earlier mail has asked for it
 */
export function orderBalanceLetter(
  store: StoreSettings,
  order: StoredOrder,
  payments: PaymentSettings,
  { url, isReminder }: { url: string | null; isReminder: boolean },
): Letter {
  const { number } = order;
  const what = isReminder ? "Reminder: the balance" : "The balance";
  return toBuyer(store, order, `${what} of your order ${named(store, order)}`, [
    paragraph(
      `Your order ${number} is ready to be sent. We send it as soon as its balance is paid.`,
    ),
    ...balanceToPay(store, order, payments, url),
    // The page of the order also offers other payment methods. With a gateway, the link to pay leads there.
    order.payment_method === "gateway" ? followLink(store, order) : openLink(store, order, url),
  ]);
}

/** Asks the buyer to choose a delivery slot. @param url opens the order; null if nobody can open it */
export function orderChooseSlotLetter(
  store: StoreSettings,
  order: StoredOrder,
  url: string | null,
): Letter {
  return toBuyer(store, order, `When may we deliver your order ${named(store, order)}?`, [
    paragraph(`Please choose a day and a time for the delivery of your order ${order.number}.`),
    url === null ? followLink(store, order) : link("Choose a delivery time", url),
  ]);
}

/** Says which delivery slot the shop has planned. @param url opens the order; null if nobody can open it */
export function orderSlotPlannedLetter(
  store: StoreSettings,
  order: StoredOrder,
  url: string | null,
): Letter {
  return toBuyer(store, order, `The delivery of your order ${named(store, order)}`, [
    paragraph(`We have planned the delivery of your order ${order.number}.`),
    deliveryFacts(store, order),
    url === null ? followLink(store, order) : link("Open your order", url),
  ]);
}

/**
 * For a payment that does not confirm the order: a partial payment, or the remaining amount of an order that is already
 * confirmed.
 */
export function orderPaymentReceivedLetter(
  store: StoreSettings,
  { order }: OrderRecord,
  { amount, method }: Transaction,
): Letter {
  const { number, currency, paid } = order;
  const { due } = totalsNow(order);
  const received = money(store, amount, currency);
  const rows: Fact[] = [["We have received now", received, "strong"]];
  if (paid !== amount) rows.push(["Received in all", money(store, paid, currency)]);
  if (due > 0) rows.push(["Still to pay", money(store, due, currency), "strong"]);
  const what = due > 0 ? "a part of your payment" : "your payment";
  return toBuyer(store, order, `We have received ${what} for order ${named(store, order)}`, [
    paragraph(
      `Thank you. We have received ${received} ${wayIn[method]} for your order ${number}.` +
        (due > 0 ? "" : " It is paid."),
    ),
    facts("Payment", rows),
    ...(due > 0 ? [paragraph(theRest(order))] : tooMuch(store, order)),
    followLink(store, order),
  ]);
}

/** Tells the buyer that a payment was entered by mistake. */
export function orderPaymentVoidedLetter(
  store: StoreSettings,
  { order }: OrderRecord,
  { amount }: Transaction,
): Letter {
  const { number, currency } = order;
  const { due } = totalsNow(order);
  const voided = money(store, amount, currency);
  return toBuyer(store, order, `A correction to your order ${named(store, order)}`, [
    paragraph(
      `We entered a payment of ${voided} for your order ${number} by mistake, and have corrected this. We are sorry.`,
    ),
    ...(due > 0
      ? [facts("Payment", [["Still to pay", money(store, due, currency), "strong"]])]
      : []),
    followLink(store, order),
  ]);
}

const wayIn: Readonly<Record<Transaction["method"], string>> = {
  gateway: "online",
  bank_transfer: "by bank transfer",
  cod: "in cash",
};

/** A sentence that says how to pay the remaining amount. */
function theRest(order: StoredOrder): string {
  switch (order.payment_method) {
    case "bank_transfer":
      return `Please transfer the rest to the same account, with the reference ${order.number}.`;
    case "cod":
      return deliveryWords(order).restInCash;
    case "gateway":
      return order.deposit
        ? "We will ask you for the rest before we send your order."
        : "We will get in touch with you about the rest.";
  }
}

export function orderShippedLetter(
  store: StoreSettings,
  record: OrderRecord,
  shipment: Shipment,
): Letter {
  const { order } = record;
  const { carrier, tracking_number, tracking_url } = shipment;
  const more = hasUnsent(record);
  const what = more ? "A part of your order" : "Your order";
  const { due, cash_due } = totalsNow(order);
  const { name, sent } = deliveryWords(order);
  const way = whereFacts(store, order);
  if (order.slot) way.unshift(["When", deliveryTime(store, order)]);
  if (carrier !== null) way.push(["With", carrier]);
  if (tracking_number !== null) way.push(["Tracking number", tracking_number]);
  if (order.payment_method === "cod" && due > 0) {
    way.push([sent.toPay, money(store, cash_due, order.currency), "strong"]);
  }
  return toBuyer(store, order, `${what} ${named(store, order)} ${sent.subject}`, [
    paragraph(`${what} ${order.number} ${sent.said}.${more ? " The rest follows." : ""}`),
    facts(sent.pieces, pieces(order, shipment.items)),
    facts(name, way),
    ...(tracking_url === null ? [] : [link("Track the delivery", tracking_url)]),
    followLink(store, order),
  ]);
}

export function orderDeliveredLetter(
  store: StoreSettings,
  record: OrderRecord,
  shipment: Shipment,
): Letter {
  const { order } = record;
  const { handedOver } = deliveryWords(order);
  const isWhole = unitsIn(record, "open", "packed", "on_the_way") === 0;
  const what = isWhole ? "Your order" : "A part of your order";
  const ways = waysToReach(store);
  const invoices = invoicesOf(order).map((invoice) => ["Number", invoice.number] as const);
  const soon = "If something is missing or damaged, please tell us soon";
  return toBuyer(store, order, `${what} ${named(store, order)} ${handedOver.said}`, [
    paragraph(`${what} ${order.number} ${handedOver.said}. We hope you like it.`),
    facts(handedOver.pieces, pieces(order, shipment.items)),
    ...(invoices.length === 0 ? [] : [facts("Invoice", invoices)]),
    paragraph(ways === "" ? `${soon}.` : `${soon}: ${ways}.`),
    followLink(store, order),
  ]);
}

export function orderCancelledLetter(store: StoreSettings, record: OrderRecord): Letter {
  const { order } = record;
  const { number } = order;
  return toBuyer(store, order, `Your order ${named(store, order)} was cancelled`, [
    paragraph(`Your order ${number} has been cancelled. Nothing more of it will be sent.`),
    ...whatComesBack(store, record),
    shopLink(store),
  ]);
}

function whatComesBack(store: StoreSettings, { order, rows }: OrderRecord): Block[] {
  const cancelledAt = rows.timeline.findLast(({ type }) => type === "cancelled")?.at ?? "";
  const refunds = rows.transactions.filter(
    (row) => row.type === "refund" && isInEffect(row) && row.at >= cancelledAt,
  );
  if (order.paid === 0) {
    return [paragraph("You have not paid for it, so there is nothing to refund.")];
  }
  const { retained } = totalsNow(order);
  const kept: Block[] =
    retained === 0
      ? []
      : [
          facts("What we keep, as agreed with you", [
            ["Of your deposit", money(store, retained, order.currency)],
          ]),
        ];
  if (retained > 0 && retained === order.paid - order.refunded && refunds.length === 0) return kept;
  const byGateway = refunds.every(({ method }) => method === "gateway");
  const ways = refunds.map(({ method, amount }): Fact => [
    wayBack[method],
    money(store, amount, order.currency),
    "strong",
  ]);
  // If a refund failed or has to be made by staff, the shop contacts the buyer.
  const needsUs = refunds.length === 0 || !byGateway;
  return [
    ...kept,
    ...(ways.length > 0 ? [facts("What you get back", ways)] : []),
    paragraph(needsUs ? "We will get in touch with you about your money." : bankTakesDays),
  ];
}

export function orderExpiredLetter(store: StoreSettings, { order }: OrderRecord): Letter {
  const { number } = order;
  return toBuyer(store, order, `Your order ${named(store, order)} has expired`, [
    paragraph(
      `Your payment for order ${number} has not reached us in time. The order has expired, and we no longer hold its items for you.`,
    ),
    paragraph(
      "If your payment still arrives, we will send your order if it is in stock. Otherwise we will refund it.",
    ),
    shopLink(store),
  ]);
}

export function orderRefundedLetter(
  store: StoreSettings,
  { order }: OrderRecord,
  { amount, method, provider_ref, items }: Transaction,
): Letter {
  const { number, currency } = order;
  const refunded = money(store, amount, currency);
  const rows: Fact[] = [
    ["Amount", refunded, "strong"],
    ["How", wayBack[method]],
  ];
  if (method !== "gateway" && provider_ref !== null) rows.push(["Reference", provider_ref]);
  return toBuyer(store, order, `Your refund of ${refunded} for order ${named(store, order)}`, [
    paragraph(`We have refunded ${refunded} of your payment for order ${number}.`),
    ...(items.length > 0 ? [facts("What it is for", pieces(order, items))] : []),
    facts("Refund", rows),
    ...(method === "cod" ? [] : [paragraph(bankTakesDays)]),
    followLink(store, order),
  ]);
}

/** Tells the buyer that a refund which was announced has failed. */
export function orderRefundFailedLetter(
  store: StoreSettings,
  { order }: OrderRecord,
  { amount }: Transaction,
): Letter {
  const { number, currency } = order;
  const amountText = money(store, amount, currency);
  return toBuyer(
    store,
    order,
    `Your refund of ${amountText} for order ${named(store, order)} did not go through`,
    [
      paragraph(
        `We tried to refund ${amountText} of your payment for order ${number}, but the refund failed. We are sorry.`,
      ),
      paragraph("You do not need to do anything. We will contact you to refund it in another way."),
      followLink(store, order),
    ],
  );
}

/** Notifies the shop that an order needs attention. */
export function orderAttentionLetter(
  store: StoreSettings,
  order: StoredOrder,
  { code, message }: Pick<Attention, "code" | "message">,
): Letter {
  const { id, number, customer, currency, status, payment_status } = order;
  const { current, paid, refunded } = totalsNow(order);
  const amount = (of: number) => money(store, of, currency);
  return letter(store, {
    subject: `Order ${named(store, order)}: ${inWords(code)}`,
    greeting: "Hello,",
    blocks: [
      paragraph(`Order ${number} needs your attention. ${message}`),
      facts("The order", [
        ["From", customer.name],
        ["State", inWords(status)],
        ["Payment", inWords(payment_status)],
        ["Total", amount(current)],
        ["Paid", amount(paid)],
        ["Refunded", amount(refunded)],
      ]),
      link("Open the order", adminLink(store, `/orders/${id}`)),
    ],
  });
}

/** The order's number and shop for a mail's subject, which is often all that an inbox shows. */
export const named = (store: StoreSettings, { number }: StoredOrder): string =>
  `${number} at ${store.name}`;

export const toBuyer = (
  store: StoreSettings,
  { customer }: StoredOrder,
  subject: string,
  blocks: readonly Block[],
): Letter => letter(store, { subject, greeting: greeting(customer.name), blocks });

const shopLink = (store: StoreSettings): Block =>
  link("Visit the shop", storefrontLink(store, "/"));

export const bankTakesDays = "Your bank may take some days to show it.";

export const wayBack: Readonly<Record<Transaction["method"], string>> = {
  gateway: "To the card or account that you paid with",
  bank_transfer: "By bank transfer",
  cod: "In cash",
};

/** The units of the order's lines, by name and choices. */
export function pieces(
  { items: lines }: StoredOrder,
  items: readonly { id: string; quantity: number }[],
): Fact[] {
  return items.flatMap(({ id, quantity }): Fact[] => {
    const line = lines.find((each) => each.id === id);
    if (!line) return [];
    const count = quantity === 1 ? "1 piece" : `${quantity} pieces`;
    return [[line.name, count, "item", line.image], ...choiceFacts(line)];
  });
}
