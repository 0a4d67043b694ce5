import { parseArgs } from "node:util";
import { table as openTable } from "#functions/connect/table.ts";
import { exportOfCustomer, recordExport } from "#shared/application/customer/export-customer.ts";
import type { CustomerExport } from "#shared/domain/export/customer-export.ts";
import { Email } from "#shared/domain/base/text.ts";
import { openCustomers } from "#shared/storage/customer/customers.ts";
import type { Table } from "#shared/storage/table.ts";

const usage =
  "Usage: TABLE_NAME=… npm run --silent export-customer -- --email <address> > file.json";

/**
 * Returns everything that the shop holds about the customer with this email, and records the export in the activity
 * log.
 *
 * @throws RangeError with a message for the operator if `email` is no email address, or no customer has it
 */
export async function exportByEmail(
  table: Table,
  email: string,
  now: Date,
): Promise<CustomerExport> {
  const address = Email.safeParse(email);
  if (!address.success) throw new RangeError(`${email} is not an email address.`);
  const customer = await openCustomers(table).findByEmail(address.data);
  const exported = customer && (await exportOfCustomer(table, customer.id, now));
  if (!exported) throw new RangeError(`No customer has the email ${email}.`);
  const audit = { actor: { id: "operator" }, requestId: "export-customer", now };
  await table.write(recordExport(audit, exported));
  return exported.export;
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  if (values.email === undefined) throw new RangeError(usage);
  if (!process.env["TABLE_NAME"])
    throw new RangeError("Set TABLE_NAME to the name of the shop's table.");
  const exported = await exportByEmail(openTable(process.env, {}), values.email, new Date());
  console.log(JSON.stringify(exported, null, 2));
}

if (import.meta.main) {
  try {
    await run();
  } catch (problem) {
    console.error(problem instanceof Error ? problem.message : problem);
    process.exitCode = 1;
  }
}
