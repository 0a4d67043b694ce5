import type { Shop } from "#shared/application/shop.ts";
import type { Timestamp } from "#shared/domain/base/text.ts";
import { isAbandonedCart, reminderCheckAt } from "#shared/domain/marketing/cart-reminder.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { CartReminders, markReminded } from "#shared/storage/marketing/cart-reminders.ts";
import { Subscriptions } from "#shared/storage/marketing/subscriptions.ts";
import { publishEvent } from "#shared/storage/outbox.ts";
import { at } from "#shared/storage/reads.ts";
import { is } from "#shared/storage/conditions.ts";
import { check } from "#shared/storage/writes.ts";
import { staleAt } from "./alert-letter.ts";

/**
 * Reminds a subscribed customer of an abandoned cart, once per cart.
 *
 * @returns when to check again, if the cart is not abandoned yet: the setting may have been raised since the check was
 *   scheduled
 */
export async function remindOfCart(
  customer: string,
  shop: Shop<"table" | "now" | "settings", "checkout">,
): Promise<Timestamp | null> {
  const { table, settings } = shop;
  const now = shop.now();
  const { cart_reminder_hours: hours } = (await settings.current()).checkout;
  const { carts, customers, reminders } = await table.getMany({
    carts: [at(Carts, { owner: { kind: "customer", id: customer } })],
    customers: [at(Customers, { id: customer })],
    reminders: [at(CartReminders, { customer })],
  });
  const [cart, person] = [carts[0], customers[0]];
  if (!cart || person?.status !== "active" || person.email_verified_at === null) return null;
  if (!isAbandonedCart(cart, reminders[0], { hours, now })) {
    const due = reminderCheckAt(cart.updated_at, hours);
    const isLater = hours > 0 && cart.status === "active" && due > now.toISOString();
    return isLater ? due : null;
  }
  const { email } = person;
  const subscription = await table.get(Subscriptions, { email });
  if (subscription?.status !== "subscribed") return null;
  const reminder = { cart_id: cart.id, at: now.toISOString() };
  await table.transact([
    check(Customers, { id: customer }, is("version", person.version)),
    markReminded(customer, reminder),
    publishEvent(
      {
        type: "cart_reminder",
        to: email,
        about: customer,
        at: reminder.at,
        expires_at: staleAt(now),
      },
      now,
    ),
  ]);
  return null;
}
