import type { Shop } from "#shared/application/shop.ts";
import { preferenceWrites, requestSubscription } from "./subscribe.ts";
import { unsubscribeFromAll } from "./unsubscribe-from-all.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { Orders } from "#shared/storage/order/orders.ts";
import { unlessRefused } from "#shared/storage/writes.ts";
import type { MarketingChange } from "#shared/queues/queue-messages.ts";

/** An opt-in older than this is not followed: its message was lost, and nobody expects the letter any more. */
const oldestOrderMs = 3 * 86_400_000;

/** Requests the subscription of a buyer who agreed to marketing. */
export async function followOrder(
  id: string,
  shop: Shop<"table" | "now" | "randomBytes">,
): Promise<void> {
  const { table } = shop;
  const now = shop.now();
  const order = await table.get(Orders, { id });
  if (!order?.marketing_opt_in) return;
  const { customer: buyer, placed_at: at } = order;
  if (now.getTime() - Date.parse(at) > oldestOrderMs) return;
  const account = buyer.id === null ? undefined : await table.get(Customers, { id: buyer.id });
  const isProven = account?.email === buyer.email && account.email_verified_at !== null;
  const { email, name } = buyer;
  if (email === null) return;
  const request = { email, name, source: "checkout", at, isProven };
  await requestSubscription(request, shop, { isPublic: false, now });
}

type CustomerChange = Extract<MarketingChange, { kind: "customer" }>;

/**
 * Makes the subscription of an account's email follow the account's preferences. Withdrawing the consent also ends the
 * product alerts of the email, and so does replacing the email.
 */
export async function followCustomer(
  change: CustomerChange,
  shop: Shop<"table" | "now" | "randomBytes">,
): Promise<void> {
  const { table } = shop;
  const { id, at, left, verified, left_email } = change;
  const now = shop.now();
  const isOlder = (stored: { requested_at: string; confirmed_at: string | null }) =>
    stored.requested_at < at && (stored.confirmed_at ?? "") < at;
  if (left_email !== null) await unsubscribeFromAll(left_email, { table, now }, isOlder);
  const customer = await table.get(Customers, { id });
  if (!customer) return;
  const { email, name, preferences, marketing_opt_in } = customer;
  const isProven = customer.email_verified_at !== null;
  if (preferences.newsletter || marketing_opt_in) {
    // Without `preferences.newsletter`, only staff have set `marketing_opt_in`. The customer must still confirm.
    const request = {
      email,
      name,
      source: "account",
      at,
      isProven: isProven && preferences.newsletter,
    };
    await requestSubscription(request, shop, { isPublic: false, account: id, now });
  } else if (left && isProven) {
    await unsubscribeFromAll(email, { table, now }, isOlder);
  } else if (verified) {
    const subscription = await table.get(Subscriptions, { email });
    if (subscription?.status !== "subscribed" || !isOlder(subscription)) return;
    const writes = await preferenceWrites(table, subscription, now);
    // The write is refused if the customer has changed meanwhile. That change sends a message of its own.
    if (writes.length > 0) await unlessRefused(table.transact(writes));
  }
}
