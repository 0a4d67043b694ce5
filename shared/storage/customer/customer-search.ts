import type { Customer } from "../../domain/customer/customer.ts";
import { internationalPhone } from "../../domain/contact/international-phone.ts";
import { Email, Phone } from "../../domain/base/text.ts";
import {
  CustomerEmails,
  CustomerPhones,
  Customers,
  customerList,
  customerNames,
} from "./customers.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

type StorageKey = Record<string, unknown>;

/** Where a customer search reads: an index, or the rows of an email or a phone. */
export interface CustomerRange {
  readonly index: "gsi1" | "gsi2" | null;
  readonly partition: string;
  /** The prefix of the sort keys; undefined for all. */
  readonly prefix: string | undefined;
}

/**
 * The range in which a search for customers reads.
 *
 * @param q an email, a phone number, or the beginning of a name; undefined for all customers, newest first
 * @param country of the store
 */
export function customerRange(q: string | undefined, country: string): CustomerRange {
  if (q === undefined) return { index: "gsi1", partition: customerList, prefix: undefined };
  const email = Email.safeParse(q);
  if (email.success) {
    const { pk: partition, sk: prefix } = CustomerEmails.key({ email: email.data });
    return { index: null, partition, prefix };
  }
  const phone = Phone.safeParse(q);
  if (phone.success) {
    const { pk: partition } = CustomerPhones.key({
      phone: internationalPhone(phone.data, country),
      customer_id: "",
    });
    return { index: null, partition, prefix: "cus_" };
  }
  return { index: "gsi2", partition: customerNames, prefix: q.toLowerCase() };
}

/** Lists one page of customers. The index may lack writes of the last second. @param country of the store */
export async function listCustomers(
  table: Table,
  { index, ...range }: CustomerRange,
  country: string,
  page: { limit: number; after: StorageKey | undefined },
): Promise<{ records: Customer[]; next: StorageKey | undefined }> {
  if (index) {
    return table.query(Customers, { index, newestFirst: index === "gsi1", ...range, ...page });
  }
  // Rows of emails and of phones have the same members.
  const { records, next } = await table.query(CustomerPhones, { ...range, ...page });
  const { customers } = await table.getMany({
    customers: records.map(({ customer_id }) => at(Customers, { id: customer_id })),
  });
  // The rows were read before the customers, whose email or phone may have changed since.
  const present = customers.filter((customer) => customer !== undefined);
  return {
    records: present.filter((customer) => stillThere(customer, range.partition, country)),
    next,
  };
}

function stillThere({ id, email, phone }: Customer, partition: string, country: string): boolean {
  if (CustomerEmails.key({ email }).pk === partition) return true;
  if (phone === null) return false;
  const number = internationalPhone(phone, country);
  return CustomerPhones.key({ phone: number, customer_id: id }).pk === partition;
}
