import * as z from "zod";
import { Customer } from "../../domain/customer/customer.ts";
import {
  type InternationalPhone,
  internationalPhone,
} from "../../domain/contact/international-phone.ts";
import { is, isNew } from "../conditions.ts";
import { entity } from "../entity.ts";
import { partitionOf } from "../staff/sessions.ts";
import type { Table } from "../table.ts";
import { type Write, put, remove } from "../writes.ts";

/** Everybody's place in the lists of customers, by the time of joining and by name. */
export const customerList = "CUSTOMERS";
export const customerNames = "CUSTOMERNAMES";

export const Customers = entity({
  name: "customer",
  schema: Customer,
  key: ({ id }: { id: string }) => ({ pk: partitionOf("customer", id), sk: "PROFILE" }),
  indexes: {
    gsi1: ({ created_at, id }) => ({ pk: customerList, sk: `${created_at}#${id}` }),
    gsi2: ({ name, id }) => ({ pk: customerNames, sk: `${name.toLowerCase()}#${id}` }),
  },
  patterns: { gsi2: [[customerNames, "<name in lower case>#<id>"]] },
});

const Reference = z.object({ customer_id: z.string() });

/** Makes emails unique and finds whose they are. */
export const CustomerEmails = entity({
  name: "customer_email",
  schema: Reference,
  key: ({ email }: { email: string }) => ({ pk: `EMAIL#customer#${email}`, sk: "EMAIL" }),
});

/** Finds whose a phone is; more than one may say so. */
export const CustomerPhones = entity({
  name: "customer_phone",
  schema: Reference,
  key: ({ phone, customer_id }: { phone: InternationalPhone; customer_id: string }) => ({
    pk: `PHONE#${phone}`,
    sk: customer_id,
  }),
});

export interface CustomerStore {
  find(id: string): Promise<Customer | undefined>;
  /** In two steps, whether or not there is one: how long it takes tells nobody. */
  findByEmail(email: string): Promise<Customer | undefined>;
}

export function openCustomers(table: Table): CustomerStore {
  const find: CustomerStore["find"] = (id) => table.get(Customers, { id });
  return {
    find,
    async findByEmail(email) {
      const row = await table.get(CustomerEmails, { email });
      const customer = await find(row?.customer_id ?? "nobody");
      // The row was read before the customer, whose email may have changed in between.
      return customer?.email === email ? customer : undefined;
    },
  };
}

/**
 * Takes an email for a customer. It is refused where somebody has it: `Refused.names` tells that write
 * from the others of its transaction.
 */
export function claimEmail({ id, email }: Pick<Customer, "id" | "email">): Write {
  return put(CustomerEmails, { email, customer_id: id }, isNew);
}

/** Gives an email back, if it is still this customer's. */
export function releaseEmail({ id, email }: Pick<Customer, "id" | "email">): Write {
  return remove(CustomerEmails, { email }, is("customer_id", id));
}

/**
 * Keeps a customer findable by phone; belongs into the transaction that changes it.
 *
 * @param before undefined: a new customer
 * @param after undefined: one who goes
 * @param country of the store
 */
export function movePhone(
  before: Pick<Customer, "id" | "phone"> | undefined,
  after: Pick<Customer, "id" | "phone"> | undefined,
  country: string,
): Write[] {
  const [left, taken] = [phoneRow(before, country), phoneRow(after, country)];
  if (left && taken && left.phone === taken.phone) return [];
  return [
    ...(left ? [remove(CustomerPhones, left)] : []),
    ...(taken ? [put(CustomerPhones, taken)] : []),
  ];
}

const phoneRow = (of: Pick<Customer, "id" | "phone"> | undefined, country: string) =>
  of && of.phone !== null
    ? { phone: internationalPhone(of.phone, country), customer_id: of.id }
    : undefined;

/** Stores a customer for the first time; belongs into one transaction with `claimEmail` and `movePhone`. */
export function addCustomer(customer: Customer): Write {
  return put(Customers, customer, isNew);
}

/** Stores a customer over the one that was read, if nobody wrote it since; the version rises by one. */
export function replaceCustomer(before: Customer, after: Customer): Write {
  return put(
    Customers,
    { ...after, id: before.id, version: before.version + 1 },
    is("version", before.version),
  );
}
