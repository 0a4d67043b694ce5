import { nameWords, searchedNameWords } from "../../domain/base/normalized-words.ts";
import { Email, Phone } from "../../domain/base/text.ts";
import { internationalPhone } from "../../domain/contact/international-phone.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import { mostSelective, searchNames } from "../name-search.ts";
import { CustomersOfName, customerNamePlace, customerNamesBeginning } from "./customer-names.ts";
import { CustomerEmails, CustomerPhones, Customers, customerList } from "./customers.ts";
import type { StorageKey } from "../pages.ts";
import { at } from "../reads.ts";
import type { Table } from "../table.ts";

/** Where a customer search reads: the list of all, the rows of an email or a phone, or those of a word of names. */
export type CustomerRange = {
  readonly partition: string;
  /** The prefix of the sort keys; undefined for all. */
  readonly prefix: string | undefined;
} & (
  | { readonly kind: "all"; readonly index: "gsi1"; readonly newestFirst: true }
  | { readonly kind: "contact" }
  /** @param words the words or beginnings of words that a name must have; without words none is found */
  | { readonly kind: "name"; readonly words: readonly string[] }
);

/**
 * The range in which a search for customers reads.
 *
 * @param q an email, a phone number, or words or beginnings of words of a name; undefined for all customers, newest first
 * @param country of the store
 */
export function customerRange(q: string | undefined, country: string): CustomerRange {
  if (q === undefined) {
    return {
      kind: "all",
      index: "gsi1",
      newestFirst: true,
      partition: customerList,
      prefix: undefined,
    };
  }
  const email = Email.safeParse(q);
  if (email.success) {
    const { pk: partition, sk: prefix } = CustomerEmails.key({ email: email.data });
    return { kind: "contact", partition, prefix };
  }
  const phone = Phone.safeParse(q);
  if (phone.success) {
    const { pk: partition } = CustomerPhones.key({
      phone: internationalPhone(phone.data, country),
      customer_id: "",
    });
    return { kind: "contact", partition, prefix: "cus_" };
  }
  const words = searchedNameWords(q);
  return { kind: "name", words, ...customerNamesBeginning(mostSelective(words)) };
}

/** Lists one page of customers. The list of all may lack writes of the last second. @param country of the store */
export async function listCustomers(
  table: Table,
  range: CustomerRange,
  country: string,
  page: { limit: number; after: StorageKey | undefined },
): Promise<{ records: Customer[]; next: StorageKey | undefined }> {
  const { kind, partition, prefix } = range;
  if (kind === "all") return table.page(Customers, range, page);
  if (kind === "name") return namedCustomers(table, range.words, page);
  // Rows of emails and of phones have the same members.
  const { records, next } = await table.page(CustomerPhones, { partition, prefix }, page);
  const customers = await customersOf(table, records);
  // The rows were read before the customers, whose email or phone may have changed since.
  const present = customers.filter((customer) => customer !== undefined);
  return { records: present.filter((customer) => stillThere(customer, partition, country)), next };
}

const customersOf = async (table: Table, rows: readonly { readonly customer_id: string }[]) =>
  (await table.getMany({ customers: rows.map(({ customer_id: id }) => at(Customers, { id })) }))
    .customers;

async function namedCustomers(
  table: Table,
  prefixes: readonly string[],
  page: { limit: number; after: StorageKey | undefined },
): Promise<{ records: Customer[]; next: StorageKey | undefined }> {
  if (prefixes.length === 0) return { records: [], next: undefined };
  return searchNames(
    {
      range: customerNamesBeginning,
      list: (range, page) => table.page(CustomersOfName, range, page),
      keyOf: ({ word, customer_id }) => ({
        ...CustomersOfName.key(customerNamePlace(word, customer_id)),
      }),
      read: (rows) => customersOf(table, rows),
      wordsOf: ({ name }) => nameWords(name),
    },
    { prefixes, isNarrowed: false, isRowMeant: () => true, matches: () => true },
    page,
  );
}

function stillThere({ id, email, phone }: Customer, partition: string, country: string): boolean {
  if (CustomerEmails.key({ email }).pk === partition) return true;
  if (phone === null) return false;
  const number = internationalPhone(phone, country);
  return CustomerPhones.key({ phone: number, customer_id: id }).pk === partition;
}
