import type { Customer } from "#shared/domain/customer/customer.ts";
import { Carts } from "#shared/storage/cart/carts.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import { projection } from "#shared/storage/entity.ts";
import { type ItemChange, imageOf } from "#shared/storage/stream.ts";
import type { MarketingChange } from "#shared/queues/queue-messages.ts";

const subscriberMembers = [
  "id",
  "email",
  "email_verified_at",
  "preferences",
  "marketing_opt_in",
  "updated_at",
] as const;
const Subscribers = projection(Customers, subscriberMembers);
const ActiveCarts = projection(Carts, ["status", "customer_id", "lines", "updated_at"]);

type Subscriber = Pick<Customer, (typeof subscriberMembers)[number]>;

const wants = (customer: Subscriber | undefined): boolean =>
  customer !== undefined && (customer.preferences.newsletter || customer.marketing_opt_in);

/** Returns a customer who has given or withdrawn consent to marketing, or verified or replaced the email. */
export function consentOfCustomer(change: ItemChange): MarketingChange | undefined {
  const [before, after] = [imageOf(Subscribers, change.before), imageOf(Subscribers, change.after)];
  if (!after) return undefined;
  const joins =
    (wants(after) && !wants(before)) ||
    (after.preferences.newsletter && before?.preferences.newsletter !== true);
  const left = wants(before) && !wants(after);
  const verified = after.email_verified_at !== null && before?.email_verified_at === null;
  const hasMoved = before !== undefined && before.email !== after.email;
  const left_email = hasMoved && before.email_verified_at !== null ? before.email : null;
  if (!joins && !left && !verified && left_email === null) return undefined;
  return { kind: "customer", id: after.id, at: after.updated_at, left, verified, left_email };
}

/** Returns the owner of a cart that can still be bought. */
export function cartInUse({ after }: ItemChange): MarketingChange | undefined {
  const cart = imageOf(ActiveCarts, after);
  if (cart?.status !== "active" || cart.customer_id === null || cart.lines.length === 0) {
    return undefined;
  }
  return { kind: "cart", id: cart.customer_id, at: cart.updated_at };
}
