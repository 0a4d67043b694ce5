import * as z from "zod";
import { Customer } from "../../domain/customer/customer.ts";
import {
  type InternationalPhone,
  internationalPhone,
} from "../../domain/contact/international-phone.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { type AccountStore, accountStore } from "../staff/accounts.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { dropPhoneProof } from "./phone-proofs.ts";
import { type Write, check, put, remove, update } from "../writes.ts";

/** The partition that lists all customers, by sign-up time. */
export const customerList = "CUSTOMERS";

export const Customers = entity({
  name: "customer",
  notExported: "personal",
  schema: Customer,
  key: ({ id }: { id: string }) => ({ pk: partitionOf("customer", id), sk: "PROFILE" }),
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: customerList, sk: `${created_at}#${id}` }),
  },
});

const Reference = z.object({ customer_id: z.string() });

/** Makes emails unique, and finds the customer of an email. */
export const CustomerEmails = entity({
  name: "customer_email",
  notExported: "derived",
  schema: Reference.extend({ password_resets: z.int().min(0).default(0) }),
  key: ({ email }: { email: string }) => ({ pk: `EMAIL#customer#${email}`, sk: "EMAIL" }),
});

/** Finds the customers of a phone number. Several customers may have the same number. */
export const CustomerPhones = entity({
  name: "customer_phone",
  notExported: "derived",
  schema: Reference,
  key: ({ phone, customer_id }: { phone: InternationalPhone; customer_id: string }) => ({
    pk: `PHONE#${phone}`,
    sk: customer_id,
  }),
});

export const openCustomers = (table: Table): AccountStore<Customer> =>
  accountStore({
    find: (id) => table.get(Customers, { id }),
    async findEmail(email) {
      const row = await table.get(CustomerEmails, { email });
      return row && { id: row.customer_id, password_resets: row.password_resets };
    },
  });

/** Claims an email for a customer. The write is refused if another customer has the email. */
export function claimEmail({ id, email }: Pick<Customer, "id" | "email">): Write {
  return put(CustomerEmails, { email, customer_id: id, password_resets: 0 }, isNew);
}

/** Counts a password reset, if the customer still holds the email. */
export function countReset({ id, email }: Pick<Customer, "id" | "email">): Write {
  return update(CustomerEmails, { email }, { add: { password_resets: 1 } }, is("customer_id", id));
}

/** Releases an email, if this customer still holds it. */
export function releaseEmail({ id, email }: Pick<Customer, "id" | "email">): Write {
  return remove(CustomerEmails, { email }, is("customer_id", id));
}

/**
 * Updates the lookup by phone, and removes a code that would prove the phone. Include it in the transaction that changes
 * the customer.
 *
 * @param before undefined for a new customer
 * @param after undefined for an erased customer
 * @param country of the store
 */
export function movePhone(
  before: Pick<Customer, "id" | "phone"> | undefined,
  after: Pick<Customer, "id" | "phone"> | undefined,
  country: string,
): Write[] {
  if (before?.phone === after?.phone) return [];
  const [left, taken] = [phoneRow(before, country), phoneRow(after, country)];
  const proof = left ? [dropPhoneProof({ number: left.phone, customer_id: left.customer_id })] : [];
  if (left && taken && left.phone === taken.phone) return proof;
  return [
    ...proof,
    ...(left ? [remove(CustomerPhones, left)] : []),
    ...(taken ? [put(CustomerPhones, taken)] : []),
  ];
}

const phoneRow = (of: Pick<Customer, "id" | "phone"> | undefined, country: string) =>
  of && of.phone !== null
    ? { phone: internationalPhone(of.phone, country), customer_id: of.id }
    : undefined;

/** Stores a new customer. Include `claimEmail` and `movePhone` in the same transaction. */
export function addCustomer(customer: Customer): Write {
  return put(Customers, customer, isNew);
}

/** Stores a customer, if it is unchanged since it was read. The version rises by one. */
export function replaceCustomer(before: Customer, after: Customer): Write {
  return put(
    Customers,
    { ...after, id: before.id, version: before.version + 1 },
    is("version", before.version),
  );
}

type PhoneOfCustomer = { readonly id: string; readonly phone: string };

/** Makes sure that a customer still has a phone. */
export const requirePhone = ({ id, phone }: PhoneOfCustomer): Write =>
  check(Customers, { id }, is("phone", phone));

/** Marks a customer's phone as proven. The write is refused if the phone has changed. */
export function markPhoneProven({ id, phone }: PhoneOfCustomer, now: Date): Write {
  const at = now.toISOString();
  return update(
    Customers,
    { id },
    { set: { phone_verified_at: at, updated_at: at }, add: { version: 1 } },
    is("phone", phone),
  );
}
