import { orderLinkToken } from "#shared/auth/order-link.ts";
import { hashOf } from "#shared/auth/opaque-tokens.ts";
import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { quoteDocumentNumber } from "#shared/domain/document/document.ts";
import { isErased } from "#shared/domain/enquiry/enquiry.ts";
import type { Pricing } from "#shared/domain/pricing/totals.ts";
import { priceQuote } from "#shared/domain/enquiry/quote-price.ts";
import { announcedPrices } from "#shared/domain/marketing/price-drop.ts";
import type { StoredOrder } from "#shared/domain/order/order.ts";
import { mayChooseSlot } from "#shared/domain/order/edit/slot-choice.ts";
import { isHeldForBalance } from "#shared/domain/payment/payment-schedule.ts";
import type { StoreSettings } from "#shared/domain/settings/store-settings.ts";
import * as account from "#shared/mail/account-letters.ts";
import * as enquiry from "#shared/mail/enquiry-letters.ts";
import { type Letter, staffAddress } from "#shared/mail/letter.ts";
import * as marketing from "#shared/mail/marketing-letters.ts";
import * as placed from "#shared/mail/order-letters.ts";
import { orderChangedLetter } from "#shared/mail/order-changed-letter.ts";
import { orderReturnLetter } from "#shared/mail/order-return-letter.ts";
import * as step from "#shared/mail/order-step-letters.ts";
import * as staff from "#shared/mail/staff-letters.ts";
import { orderUrl } from "#shared/mail/wording.ts";
import {
  type Carried,
  type CarriedDocument,
  carried,
} from "#shared/application/document/carried-document.ts";
import type { KeySource } from "#shared/runtime/key-ring.ts";
import type { EnquiryStore } from "#shared/storage/enquiry/enquiries.ts";
import type { MarketingRecords } from "#shared/storage/marketing/marketing-records.ts";
import type { OrderStore } from "#shared/storage/order/orders.ts";
import type { SettingsStore } from "#shared/storage/settings/settings.ts";
import { loadAlert, loadCart, loadRequestedAlert } from "./marketing-loads.ts";

/** Where the letters' content is read. */
export interface MailSources {
  orders: Pick<OrderStore, "find">;
  /** Reads an order without its rows. */
  orderAlone(id: string): Promise<StoredOrder | undefined>;
  enquiries: EnquiryStore;
  marketing: MarketingRecords;
  linkKeys: KeySource;
  settings: SettingsStore<"store" | "payments" | "shipping" | "tax" | "email" | "seo">;
}

type Settings = Awaited<ReturnType<MailSources["settings"]["current"]>>;
type Records = Omit<MailSources, "settings">;

/** An event, what it loads, and the settings. */
type Facts<Event, Loaded> = Loaded & {
  readonly event: Event;
  readonly settings: Settings;
  readonly store: StoreSettings;
};

/** How the mail of one type of event is made. */
export interface LetterSource<Event, Loaded = unknown> {
  /** Reads what the letter is written from, as it is now; undefined if nothing is left to announce. */
  loads(event: NoInfer<Event>, records: Records, settings: Settings): Promise<Loaded | undefined>;
  /** Whether nothing is left to announce of what was loaded. */
  isStale?(facts: Facts<Event, Loaded>): boolean;
  /** The unpaid order that anybody could place to have this mail sent to a stranger; undefined if it is paid. */
  unpaidOrder?(facts: Facts<Event, Loaded>): StoredOrder | undefined;
  /** The recipient; null if there is none. */
  to(facts: Facts<Event, Loaded>): string | null;
  /** For mail to the shop: the person who asks something, to whom staff reply; null without an email. */
  replyTo?(facts: Facts<Event, Loaded>): string | null;
  /** For marketing mail: the token that unsubscribes its recipient. */
  unsubscribes?(facts: Facts<Event, Loaded>): string;
  /** Undefined if nothing is left to announce. */
  letter(facts: Facts<Event, Loaded>): Letter | undefined;
  /** The document that the letter carries; undefined if it carries none. */
  document?(facts: Facts<Event, Loaded>): Carried | undefined;
  /** An event that causes a copy of the mail for the shop. */
  copy?(facts: Facts<Event, Loaded>): OutboxEvent | undefined;
}

type EventOf<Type, Event = OutboxEvent> = Event extends { type: string }
  ? Type extends Event["type"]
    ? Event
    : never
  : never;

/** The mail of each event: what it loads, when it is stale, who receives it, its letter and its document. */
export const mails: { readonly [Type in OutboxEvent["type"]]: LetterSource<EventOf<Type>> } = {
  order_placed: toBuyer({
    loads: loadOrderAlone,
    isStale: isOver,
    unpaidOrder: ifUnpaid,
    letter: ({ store, order, settings, url }) =>
      placed.orderPlacedLetter(store, order, settings.payments, url),
    copy: ({ order, settings: { email } }) =>
      email.order_copy_to === null ? undefined : { type: "order_copy", order_id: order.id },
  }),
  /** The buyer's mail without the link that would let its reader act for the buyer. */
  order_copy: mail({
    loads: loadOrderAlone,
    isStale: isOver,
    to: ({ settings }) => settings.email.order_copy_to,
    letter: ({ store, order, settings }) =>
      placed.orderPlacedLetter(store, order, settings.payments, null),
  }),
  order_paid: toBuyer({
    loads: loadOrder,
    isStale: isOver,
    letter: ({ store, record }) => step.orderPaidLetter(store, record),
    document: ({ order, record, url }) => carriedBy(order, carried.order_paid(record), url),
  }),
  order_payment_received: toBuyer({
    loads: loadTransaction,
    isStale: isOver,
    letter: ({ store, record, transaction }) =>
      step.orderPaymentReceivedLetter(store, record, transaction),
  }),
  order_payment_voided: toBuyer({
    loads: loadTransaction,
    letter: ({ store, record, transaction }) =>
      step.orderPaymentVoidedLetter(store, record, transaction),
    document: ({ order, transaction, url }) =>
      carriedBy(order, carried.order_payment_voided(transaction), url),
  }),
  order_payment_changed: toBuyer({
    loads: loadOrderAlone,
    isStale: ({ order, event }) => isOver({ order }) || order.payment_method !== event.method,
    unpaidOrder: ifUnpaid,
    letter: ({ store, order, settings, url }) =>
      placed.orderPaymentChangedLetter(store, order, settings.payments, url),
  }),
  order_balance_due: toBuyer({
    loads: loadOrderAlone,
    isStale: ({ order }) => isOver({ order }) || !isHeldForBalance(order),
    letter: ({ store, order, settings, url }) =>
      step.orderBalanceLetter(store, order, settings.payments, { url, isReminder: false }),
  }),
  order_balance_reminder: toBuyer({
    loads: loadOrderAlone,
    isStale: ({ order }) => isOver({ order }) || !isHeldForBalance(order),
    letter: ({ store, order, settings, url }) =>
      step.orderBalanceLetter(store, order, settings.payments, { url, isReminder: true }),
  }),
  order_choose_slot: toBuyer({
    loads: loadOrder,
    isStale: ({ record, settings }) => !mayChooseSlot(record, settings),
    unpaidOrder: ifUnpaid,
    letter: ({ store, order, url }) => step.orderChooseSlotLetter(store, order, url),
  }),
  order_slot_planned: toBuyer({
    loads: loadOrderAlone,
    isStale: ({ order }) => !order.slot,
    unpaidOrder: ifUnpaid,
    letter: ({ store, order, url }) => step.orderSlotPlannedLetter(store, order, url),
  }),
  order_shipped: toBuyer({
    loads: loadShipment,
    letter: ({ store, record, shipment }) => step.orderShippedLetter(store, record, shipment),
    document: ({ order, record, shipment, url }) =>
      carriedBy(order, carried.order_shipped(record, shipment.id), url),
  }),
  order_delivered: toBuyer({
    loads: loadShipment,
    letter: ({ store, record, shipment }) => step.orderDeliveredLetter(store, record, shipment),
  }),
  order_cancelled: toBuyer({
    loads: loadOrder,
    isStale: ({ order }) => order.status !== "cancelled",
    letter: ({ store, record }) => step.orderCancelledLetter(store, record),
  }),
  order_expired: toBuyer({
    loads: loadOrder,
    isStale: ({ order }) => order.status !== "expired",
    unpaidOrder: ifUnpaid,
    letter: ({ store, record }) => step.orderExpiredLetter(store, record),
  }),
  order_changed: toBuyer({
    loads: loadChange,
    isStale: isOver,
    unpaidOrder: ({ order, record, change }) =>
      carried.order_changed(record, change.id) ? undefined : ifUnpaid({ order }),
    letter: ({ store, record, change, settings, url }) =>
      orderChangedLetter(store, record, change, { settings, url }),
    document: ({ order, record, change, url }) =>
      carriedBy(order, carried.order_changed(record, change.id), url),
  }),
  return_changed: toBuyer({
    loads: loadReturn,
    letter: ({ store, record, found, event, url }) =>
      orderReturnLetter(store, record, found, { ...event, url }),
    document: ({ order, record, event, url }) =>
      event.change_id === null
        ? undefined
        : carriedBy(order, carried.order_changed(record, event.change_id), url),
  }),
  order_refunded: toBuyer({
    loads: loadTransaction,
    isStale: ({ transaction }) => transaction.state !== "succeeded",
    letter: ({ store, record, transaction }) =>
      step.orderRefundedLetter(store, record, transaction),
    document: ({ order, record, transaction, url }) =>
      carriedBy(order, carried.order_refunded(record, transaction.id), url),
  }),
  order_refund_failed: toBuyer({
    loads: loadTransaction,
    letter: ({ store, record, transaction }) =>
      step.orderRefundFailedLetter(store, record, transaction),
  }),
  order_attention: mail({
    loads: loadFlag,
    to: shop,
    letter: ({ store, order, flag }) => step.orderAttentionLetter(store, order, flag),
  }),

  verify_email: toAddressee(account.verifyEmailLetter),
  reset_password: toAddressee(account.resetPasswordLetter),
  password_changed: toAddressee(account.passwordChangedLetter),
  email_changed: toAddressee(account.emailChangedLetter),
  confirm_subscription: toAddressee(marketing.confirmSubscriptionLetter),
  staff_invitation: toAddressee(staff.staffInvitationLetter),
  staff_reset_password: toAddressee(staff.staffResetPasswordLetter),
  staff_verify_email: toAddressee(staff.staffVerifyEmailLetter),
  staff_password_changed: toAddressee(staff.staffPasswordChangedLetter),
  staff_email_changed: toAddressee(staff.staffEmailChangedLetter),
  staff_second_factor_locked: toAddressee(staff.staffSecondFactorLockedLetter),
  staff_second_factor_changed: toAddressee(staff.staffSecondFactorChangedLetter),
  publication_failed: mail({
    loads: loadNothing,
    to: shop,
    letter: ({ store, event }) => staff.publicationFailedLetter(store, event),
  }),

  lead_received: mail({
    loads: loadLead,
    to: shop,
    replyTo: ({ lead }) => lead.email,
    letter: ({ store, lead }) => enquiry.leadReceivedLetter(store, lead),
  }),
  lead_acknowledged: mail({
    loads: loadLead,
    to: ({ lead }) => lead.email,
    letter: ({ store, lead }) => enquiry.leadAcknowledgedLetter(store, lead),
  }),
  quote_received: mail({
    loads: loadQuote,
    to: shop,
    replyTo: ({ quote }) => quote.email,
    letter: ({ store, quote }) => enquiry.quoteReceivedLetter(store, quote),
  }),
  quote_acknowledged: mail({
    loads: loadQuote,
    to: ({ quote }) => quote.email,
    letter: ({ store, quote }) => enquiry.quoteAcknowledgedLetter(store, quote),
  }),
  quote_accepted: mail({
    loads: loadQuote,
    to: shop,
    replyTo: ({ quote }) => quote.email,
    letter: ({ store, quote, pricing }) =>
      enquiry.quoteAnsweredLetter(store, quote, "accepted", totalOf(pricing)),
  }),
  quote_declined: mail({
    loads: loadQuote,
    to: shop,
    replyTo: ({ quote }) => quote.email,
    letter: ({ store, quote, pricing }) =>
      enquiry.quoteAnsweredLetter(store, quote, "declined", totalOf(pricing)),
  }),
  quote_sent: mail({
    loads: loadQuote,
    // Since the event, the quote may have been withdrawn, or sent again with another mail.
    isStale: ({ quote, event }) =>
      quote.status !== "sent" || quote.link_hash !== hashOf(event.token),
    to: ({ event }) => event.to,
    letter: ({ store, quote, pricing, event: { token, expires_at } }) =>
      pricing ? enquiry.quoteSentLetter(store, quote, { pricing, token, expires_at }) : undefined,
    // This letter links to the quote anyway.
    document: ({ quote }) => ({
      owner_id: quote.id,
      type: "quote",
      number: quoteDocumentNumber(quote),
      page: null,
    }),
  }),

  confirm_alert: mail({
    loads: loadRequestedAlert,
    to: ({ event }) => event.to,
    letter: ({ store, product, kind, variant_ids, event: { token, expires_at } }) =>
      marketing.confirmAlertLetter(store, product, { kind, variant_ids, token, expires_at }),
  }),
  back_in_stock: mail({
    loads: loadAlert("back_in_stock"),
    to: ({ event }) => event.to,
    unsubscribes: ({ alert }) => alert.token,
    letter: ({ settings, product, alert: { token }, event: { variant_ids = [] } }) =>
      marketing.backInStockLetter(settings, product, { variant_ids, token }),
  }),
  price_drop: mail({
    loads: loadAlert("price_drop"),
    to: ({ event }) => event.to,
    unsubscribes: ({ alert }) => alert.token,
    letter({ settings, product, alert }) {
      const prices = announcedPrices(alert, product);
      const { token } = alert;
      return prices.length === 0
        ? undefined
        : marketing.priceDropLetter(settings, product, { prices, token });
    },
  }),
  cart_reminder: mail({
    loads: loadCart,
    to: ({ event }) => event.to,
    unsubscribes: ({ subscription }) => subscription.token,
    letter: ({ store, cart, names, customer: { name }, subscription: { token } }) =>
      marketing.cartReminderLetter(store, cart, names, { name, token }),
  }),
};

/** Declares a mail, so that the compiler knows what it loads. */
function mail<Event, Loaded>(row: LetterSource<Event, Loaded>): LetterSource<Event, Loaded> {
  return row;
}

function toBuyer<Event, Loaded extends { order: StoredOrder }>(
  row: Omit<LetterSource<Event, Loaded>, "to">,
): LetterSource<Event, Loaded> {
  return { ...row, to: ({ order }) => order.customer.email };
}

function toAddressee<Event extends { to: string }>(
  write: (store: StoreSettings, event: NoInfer<Event>) => Letter,
): LetterSource<Event, object> {
  return {
    loads: loadNothing,
    to: ({ event }) => event.to,
    letter: ({ store, event }) => write(store, event),
  };
}

function shop({ settings }: { settings: Settings }): string | null {
  return staffAddress(settings);
}

function isOver({ order: { status } }: { order: StoredOrder }): boolean {
  return status === "cancelled" || status === "expired";
}

function ifUnpaid({ order }: { order: StoredOrder }): StoredOrder | undefined {
  return order.paid === 0 ? order : undefined;
}

function carriedBy(
  { id }: StoredOrder,
  document: CarriedDocument | undefined,
  page: string | null,
): Carried | undefined {
  return document && { ...document, owner_id: id, page };
}

async function loadNothing() {
  return {};
}

type OfOrder = { readonly order_id: string };

async function loadOrder({ order_id }: OfOrder, { orders, linkKeys }: Records, settings: Settings) {
  const record = await orders.find(order_id);
  return record && { record, ...(await withUrl(record.order, linkKeys, settings)) };
}

/** For letters that show nothing of the order's rows. */
async function loadOrderAlone(
  { order_id }: OfOrder,
  { orderAlone, linkKeys }: Records,
  settings: Settings,
) {
  const order = await orderAlone(order_id);
  return order && withUrl(order, linkKeys, settings);
}

const withUrl = async (order: StoredOrder, linkKeys: KeySource, { store }: Settings) => ({
  order,
  url: orderUrl(store, order, await orderLinkToken(order, linkKeys)),
});

/** The orders that the mails of these events read without rows. */
export const ordersReadAlone = (events: readonly OutboxEvent[]): string[] => [
  ...new Set(
    events.flatMap((event) => {
      const { loads }: { readonly loads: unknown } = mails[event.type];
      return loads === loadOrderAlone && "order_id" in event ? [event.order_id] : [];
    }),
  ),
];

async function loadShipment(
  event: OfOrder & { shipment_id: string },
  records: Records,
  settings: Settings,
) {
  const loaded = await loadOrder(event, records, settings);
  const shipment = loaded?.record.rows.shipments.find(({ id }) => id === event.shipment_id);
  return loaded && shipment && { ...loaded, shipment };
}

async function loadTransaction(
  event: OfOrder & { transaction_id: string },
  records: Records,
  settings: Settings,
) {
  const loaded = await loadOrder(event, records, settings);
  const { transactions } = loaded?.record.rows ?? {};
  const transaction = transactions?.find(({ id }) => id === event.transaction_id);
  return loaded && transaction && { ...loaded, transaction };
}

async function loadChange(
  event: OfOrder & { change_id: string },
  records: Records,
  settings: Settings,
) {
  const loaded = await loadOrder(event, records, settings);
  const change = loaded?.record.rows.changes.find(({ id }) => id === event.change_id);
  return loaded && change && { ...loaded, change };
}

async function loadReturn(
  event: OfOrder & { return_id: string },
  records: Records,
  settings: Settings,
) {
  const loaded = await loadOrder(event, records, settings);
  const found = loaded?.record.rows.returns.find(({ id }) => id === event.return_id);
  return loaded && found && { ...loaded, found };
}

async function loadFlag(
  event: OfOrder & { code: string; at: string },
  records: Records,
  settings: Settings,
) {
  const loaded = await loadOrder(event, records, settings);
  const flag = loaded?.order.attention.find(
    ({ code, at }) => code === event.code && at === event.at,
  );
  return loaded && flag && { ...loaded, flag };
}

async function loadLead({ lead_id }: { lead_id: string }, { enquiries }: Records) {
  const lead = await enquiries.lead(lead_id);
  return lead && !isErased(lead) ? { lead } : undefined;
}

async function loadQuote(
  { quote_id: id }: { quote_id: string },
  { enquiries }: Records,
  settings: Settings,
) {
  const quote = await enquiries.quote(id);
  if (!quote || isErased(quote)) return undefined;
  return { quote, pricing: priceQuote(quote, settings) };
}

const totalOf = (pricing: Pricing | null): number | null => pricing && pricing.totals.grand_total;
