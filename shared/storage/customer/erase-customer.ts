import type { Customer } from "../../domain/customer/customer.ts";
import { internationalPhone } from "../../domain/contact/international-phone.ts";
import { provesPhone } from "../../domain/order/order.ts";
import { is } from "../conditions.ts";
import { detachOrders } from "../order/customer-orders.ts";
import { Customers, movePhone, releaseEmail } from "./customers.ts";
import { eraseEnquiries } from "../enquiry/erase-enquiries.ts";
import { eraseNames } from "../order/order-names.ts";
import { retryOnConflict } from "../on-fresh.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { unlinkConversation } from "../inbox/unlink-conversation.ts";
import { remove } from "../writes.ts";

/**
 * Erases a person: all that stands in the customer's partition, the email, what says whose the leads and quotes of that
 * email were, what says whose the conversations by their phone numbers are, and the files sent in them. Orders stay, of no account, and are
 * found by no name. Until the profile goes, which ends every session, all of it may be repeated; what came in
 * meanwhile goes in the end.
 *
 * Anybody may type any email and phone: of the email only one that is proven counts, of phones those that an order was
 * paid for or sent out with.
 *
 * @param given.country of the store
 */
export async function eraseCustomer(
  table: Table,
  customer: Customer,
  { country, now }: { country: string; now: Date },
): Promise<void> {
  const { id } = customer;
  const profile = Customers.key({ id });
  await detachOrders(table, id, async (orders) => {
    const phones = orders.filter(provesPhone).map((order) => order.customer.phone);
    const numbers = new Set(phones.map((phone) => internationalPhone(phone, country)));
    for (const number of numbers) await unlinkConversation(table, number, now);
    await Promise.all(orders.map((order) => eraseNames(table, order)));
  });
  if (customer.email_verified_at !== null) await eraseEnquiries(table, customer.email, now);
  await table.clear(profile.pk, { except: [profile.sk, "SESSION#"] });
  const readAgain = () => table.get(Customers, { id });
  await retryOnConflict<Customer | undefined, void>(customer, readAgain, async (current) => {
    if (!current) return;
    await table.transact([
      remove(Customers, { id }, is("version", current.version)),
      releaseEmail(current),
      ...movePhone(current, undefined, country),
    ]);
  });
  await table.clear(partitionOf("customer", id));
}
