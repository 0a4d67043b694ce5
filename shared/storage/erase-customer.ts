import type { Customer } from "../domain/customer.ts";
import { detachOrders } from "./customer-orders.ts";
import { Customers, releaseEmail } from "./customers.ts";
import { partitionOf } from "./sessions.ts";
import type { Table } from "./table.ts";
import { remove } from "./writes.ts";

/**
 * Erases a person: all that stands in the customer's partition, and the email. Orders stay, of no account. Until the
 * profile goes, which ends every session, all of it may be repeated; what came in meanwhile goes in the end.
 */
export async function eraseCustomer(
  table: Table,
  customer: Pick<Customer, "id" | "email">,
): Promise<void> {
  const { id } = customer;
  const profile = Customers.key({ id });
  await detachOrders(table, id);
  await table.clear(profile.pk, { except: [profile.sk, "SESSION#"] });
  await table.transact([remove(Customers, { id }), releaseEmail(customer)]);
  await table.clear(partitionOf("customer", id));
}
