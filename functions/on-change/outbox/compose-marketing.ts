import type { OutboxEvent } from "#shared/domain/base/outbox-event.ts";
import { announcedPrices } from "#shared/domain/marketing/price-drop.ts";
import { AlertKind } from "#shared/domain/marketing/product-alert.ts";
import type { Subscription } from "#shared/domain/marketing/subscription.ts";
import { apiPrefix } from "#shared/domain/request/api-path.ts";
import type { StorefrontSettings } from "#shared/domain/settings/storefront-address.ts";
import type { Addressed } from "#shared/mail/letter.ts";
import {
  backInStockLetter,
  cartReminderLetter,
  confirmAlertLetter,
  priceDropLetter,
} from "#shared/mail/marketing-letters.ts";
import { Unavailable } from "#shared/runtime/unavailable.ts";
import type { MarketingRecords } from "#shared/storage/marketing/marketing-records.ts";

export type MarketingEvent = Extract<OutboxEvent, { about: string } | { type: "confirm_alert" }>;

export const isOfMarketing = (event: OutboxEvent): event is MarketingEvent =>
  "about" in event || event.type === "confirm_alert";

interface Sources {
  readonly marketing: MarketingRecords;
  readonly settings: StorefrontSettings;
  /** The address of the API as callers use it; undefined if it is not configured. */
  readonly apiBaseUrl: string | undefined;
}

/**
 * Returns the mail for a marketing event; undefined if its reason is gone, for example because the person has
 * unsubscribed.
 *
 * @throws Unavailable when the API's address, which the unsubscribe link needs, is not configured
 */
export async function composeMarketing(
  event: MarketingEvent,
  sources: Sources,
): Promise<Addressed | undefined> {
  if (event.type === "confirm_alert") return confirmation(event, sources);
  const { type } = event;
  return type === "cart_reminder"
    ? cartReminder(event, sources)
    : productLetter(type, event, sources);
}

type Confirmation = Extract<MarketingEvent, { type: "confirm_alert" }>;
type Announcement = Exclude<MarketingEvent, Confirmation>;

async function confirmation(
  { to, kind: requested, product_id, token, expires_at }: Confirmation,
  { marketing, settings }: Sources,
): Promise<Addressed | undefined> {
  const kind = AlertKind.parse(requested);
  const [alert, product] = await Promise.all([
    marketing.alert({ email: to, product_id, kind }),
    marketing.product(product_id),
  ]);
  const isAwaited = alert !== undefined && alert.requested_skus.length > 0;
  if (!isAwaited || product?.status !== "published") return undefined;
  const { requested_skus: skus } = alert;
  return { to, ...confirmAlertLetter(settings.store, product, { kind, skus, token, expires_at }) };
}

async function productLetter(
  kind: AlertKind,
  { to, about: product_id, at, skus = [] }: Announcement,
  { marketing, settings, apiBaseUrl }: Sources,
): Promise<Addressed | undefined> {
  const [alert, product, subscription] = await Promise.all([
    marketing.alert({ email: to, product_id, kind }),
    marketing.product(product_id),
    marketing.subscription(to),
  ]);
  // The person may have ended the alert, or unsubscribed, since the event.
  const isWanted = alert?.letter_at === at && alert.stopped_at === null;
  if (!isWanted || isGone(subscription, at) || product?.status !== "published") return undefined;
  const { token } = alert;
  const unsubscribe_url = unsubscribeUrl(token, apiBaseUrl);
  if (kind === "back_in_stock") {
    return { to, unsubscribe_url, ...backInStockLetter(settings, product, { skus, token }) };
  }
  const prices = announcedPrices(alert, product);
  if (prices.length === 0) return undefined;
  return { to, unsubscribe_url, ...priceDropLetter(settings, product, { prices, token }) };
}

async function cartReminder(
  { to, about: id, at }: Announcement,
  { marketing, settings, apiBaseUrl }: Sources,
): Promise<Addressed | undefined> {
  const [customer, cart, subscription] = await Promise.all([
    marketing.customer(id),
    marketing.cartOf(id),
    marketing.subscription(to),
  ]);
  const isReader = customer?.email === to && customer.email_verified_at !== null;
  // The customer may have changed or bought the cart since the event.
  const isStanding = cart?.status === "active" && cart.lines.length > 0 && cart.updated_at < at;
  if (!isReader || !isStanding || subscription?.status !== "subscribed") return undefined;
  const { token } = subscription;
  const unsubscribe_url = unsubscribeUrl(token, apiBaseUrl);
  return {
    to,
    unsubscribe_url,
    ...cartReminderLetter(settings.store, cart, { name: customer.name, token }),
  };
}

const isGone = (subscription: Subscription | undefined, at: string): boolean =>
  (subscription?.unsubscribed_at ?? "") >= at;

function unsubscribeUrl(token: string, apiBaseUrl: string | undefined): string {
  if (apiBaseUrl === undefined) throw new Unavailable("API_BASE_URL is not configured");
  return `${apiBaseUrl}${apiPrefix}/unsubscribe/${token}`;
}
