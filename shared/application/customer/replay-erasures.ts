import { Customers } from "#shared/storage/customer/customers.ts";
import { eraseCustomer } from "#shared/storage/customer/erase-customer.ts";
import { readSettings } from "#shared/storage/settings/settings.ts";
import { partitionOf } from "#shared/storage/staff/sessions.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Erases the customers that a restored backup brought back. Safe to repeat.
 *
 * @param ids the ids of all customers who were ever erased
 * @returns the number of customers that were erased again
 */
export async function replayErasures(
  table: Table,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  const { country } = (await readSettings(table, ["store"])).store;
  let erased = 0;
  for (const id of ids) {
    const customer = await table.get(Customers, { id });
    if (customer) {
      await eraseCustomer(table, customer, { country, now });
      erased += 1;
      // A backup that was made during an erasure may contain rows of the customer without the profile.
    } else await table.clear(partitionOf("customer", id));
  }
  return erased;
}
