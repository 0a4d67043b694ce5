import type { Customer } from "../../domain/customer/customer.ts";
import { internationalPhone } from "../../domain/contact/international-phone.ts";
import { is } from "../conditions.ts";
import { detachOrders } from "../order/customer-orders.ts";
import { moveName } from "./customer-names.ts";
import { Customers, movePhone, releaseEmail } from "./customers.ts";
import { publishErasedId } from "./erased-ids.ts";
import { eraseEnquiries } from "../enquiry/erase-enquiries.ts";
import { eraseSubscriber } from "../marketing/erase-subscriber.ts";
import { unblockMail } from "./mail-blocks.ts";
import { removeEmailProof } from "./proven-emails.ts";
import { eraseNames } from "../order/order-names.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { unlinkConversation } from "../inbox/unlink-conversation.ts";
import { remove } from "../writes.ts";

/**
 * Erases a person. The customer's rows are deleted, the leads and quotes of the email are anonymized, and conversations
 * lose the customer's identity and files. Orders stay, without an account and without a name in the search. The profile
 * is deleted last, which ends every session. Until then the erasure may be repeated. A repetition also erases what was
 * added meanwhile.
 *
 * Anybody can enter another person's email or phone number in a form. So leads and quotes are anonymized, and the
 * subscription, the product alerts and the proof of the email deleted, only if the email is verified. A conversation is
 * unlinked only if the phone of the profile is verified.
 *
 * @param options.country of the store
 */
export async function eraseCustomer(
  table: Table,
  customer: Customer,
  { country, now }: { country: string; now: Date },
): Promise<void> {
  const { id } = customer;
  const profile = Customers.key({ id });
  const number = customer.phone && internationalPhone(customer.phone, country);
  if (number && customer.phone_verified_at !== null) await unlinkConversation(table, number, now);
  await detachOrders(table, id, async (orders) => {
    await Promise.all(orders.map((order) => eraseNames(table, order)));
  });
  const { email, email_verified_at } = customer;
  await Promise.all([
    eraseEnquiries(table, id, now),
    ...(email_verified_at === null
      ? []
      : [eraseEnquiries(table, email, now), eraseSubscriber(table, email)]),
  ]);
  await table.clear(profile.pk, { except: [profile.sk, "SESSION#"] });
  const readAgain = () => table.get(Customers, { id });
  await retryOnConflict<Customer | undefined, void>(customer, readAgain, async (current) => {
    if (!current) return;
    await table.transact([
      remove(Customers, { id }, is("version", current.version)),
      publishErasedId(id, now),
      unblockMail(current.email),
      ...(current.email_verified_at === null ? [] : [removeEmailProof(current.email)]),
      ...current.earlier_emails.map(removeEmailProof),
      releaseEmail(current),
      ...movePhone(current, undefined, country),
      ...moveName(current, undefined),
    ]);
  });
  await table.clear(partitionOf("customer", id));
}
