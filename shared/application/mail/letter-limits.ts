import type { Shop } from "#shared/application/shop.ts";
import { dayIn } from "#shared/domain/base/day.ts";
import { type LimitName, limits } from "#shared/domain/request/rate-limits.ts";
import { CustomerEmails, Customers } from "#shared/storage/customer/customers.ts";
import { isEmailProven } from "#shared/storage/customer/proven-emails.ts";
import { ProductAlerts } from "#shared/storage/marketing/product-alerts.ts";
import { Subscriptions, subscriberPartition } from "#shared/storage/marketing/subscriptions.ts";
import type { Table } from "#shared/storage/table.ts";

const dayMs = 86_400_000;

/**
 * Counts a letter that answers a form, and returns whether it may go out.
 *
 * @param by 0 if no letter is due, so that the timing of a response does not reveal it
 */
export const mayAcknowledge = (
  email: string,
  shop: Shop<"table" | "rates" | "settings", "store">,
  now: Date,
  by: 0 | 1 = 1,
): Promise<boolean> => mayMail("acknowledgements", { email, by }, shop, now);

/** Counts a letter about an order on which nothing was paid, and returns whether it may go out. */
export const mayMailUnpaid = (
  email: string,
  shop: Shop<"table" | "rates" | "settings", "store">,
  now: Date,
): Promise<boolean> => mayMail("unpaid_order_letters", { email, by: 1 }, shop, now);

/**
 * Anybody can enter another person's email, so an address gets few letters in a day of the store, unless it is proven.
 * If counting fails, the letter goes out.
 */
async function mayMail(
  limit: LimitName,
  { email, by }: { email: string; by: 0 | 1 },
  { table, settings, rates }: Shop<"table" | "rates" | "settings", "store">,
  now: Date,
): Promise<boolean> {
  const { calls, seconds } = limits[limit];
  const day = dayIn((await settings.current()).store.timezone, now);
  const window = Date.parse(day) / dayMs;
  const sent = await rates.increment({ limit, caller: `${email}#${day}`, window, seconds, by });
  return sent <= calls || isProven(table, email);
}

/** Whether an account or the link of a letter proves that the address is its owner's. */
async function isProven(table: Table, email: string): Promise<boolean> {
  const [row, { subscriptions, alerts }, opensLinks] = await Promise.all([
    table.get(CustomerEmails, { email }),
    table.getPartition(subscriberPartition(email), {
      subscriptions: Subscriptions,
      alerts: ProductAlerts,
    }),
    isEmailProven(table, email),
  ]);
  const customer = row && (await table.get(Customers, { id: row.customer_id }));
  return (
    opensLinks ||
    // The row was read before the customer, whose email may have changed since.
    (customer?.email === email && customer.email_verified_at !== null) ||
    subscriptions.some(({ status }) => status === "subscribed") ||
    alerts.some(({ confirmed_at }) => confirmed_at !== null)
  );
}
