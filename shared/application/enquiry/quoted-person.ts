import type { QuoteCustomer, QuotedPerson } from "#shared/domain/enquiry/quote-input.ts";
import { invalidField } from "#shared/domain/request/app-error.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
import type { Table } from "#shared/storage/table.ts";

/**
 * Whom a quote is for: a customer with the name, email and phone of the account, or a person without an account.
 *
 * @throws AppError `validation_failed` when the customer does not exist
 */
export async function quotedPerson(
  table: Pick<Table, "get">,
  customer: QuoteCustomer,
): Promise<QuotedPerson> {
  if (!("id" in customer)) return { customer_id: null, ...customer };
  const found = await table.get(Customers, { id: customer.id });
  if (!found) throw invalidField("customer.id", "The selected customer is invalid.");
  const { id: customer_id, name, email, phone } = found;
  return { customer_id, name, email, phone };
}
