import * as z from "zod";
import { Customer } from "../domain/customer.ts";
import { is, isNew } from "./conditions.ts";
import { entity } from "./entity.ts";
import { partitionOf } from "./sessions.ts";
import type { Table } from "./table.ts";
import { type Write, put, remove } from "./writes.ts";

export const Customers = entity({
  name: "customer",
  schema: Customer,
  key: ({ id }: { id: string }) => ({ pk: partitionOf("customer", id), sk: "PROFILE" }),
});

/** Makes emails unique and finds whose they are. */
export const CustomerEmails = entity({
  name: "customer_email",
  schema: z.object({ customer_id: z.string() }),
  key: ({ email }: { email: string }) => ({ pk: `EMAIL#customer#${email}`, sk: "EMAIL" }),
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

/** Stores a customer for the first time; belongs into one transaction with `claimEmail`. */
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
