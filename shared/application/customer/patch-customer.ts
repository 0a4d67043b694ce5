import type { Shop } from "#shared/application/shop.ts";
import type { CommerceGroup } from "#shared/domain/settings/settings.ts";
import { orNotFound } from "#shared/domain/request/app-error.ts";
import { type EditCall, auditContextOf } from "#shared/application/audit-context.ts";
import { change } from "#shared/application/edit.ts";
import type { Customer } from "#shared/domain/customer/customer.ts";
import {
  type CustomerPatch,
  changedByStaff,
  type CustomerRecord,
} from "#shared/domain/customer/admin-customer.ts";
import { type AuditContext, recordActivity } from "#shared/storage/staff/activity.ts";
import { moveName } from "#shared/storage/customer/customer-names.ts";
import { movePhone, replaceCustomer, Customers } from "#shared/storage/customer/customers.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { type BuyerKey, Buyers } from "#shared/storage/order/buyers.ts";
import { ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { OrdersOfBuyer } from "#shared/storage/order/orders.ts";
import { at } from "#shared/storage/reads.ts";
import type { Table } from "#shared/storage/table.ts";

/** A customer with addresses and order counts, read in one step. */
export async function readCustomer(table: Table, id: string): Promise<CustomerRecord | undefined> {
  const buyer: BuyerKey = `customer#${id}`;
  const [{ customers, books, buyers }, newest] = await Promise.all([
    table.getMany({
      customers: [at(Customers, { id })],
      books: [at(AddressBooks, { customer: id })],
      buyers: [at(Buyers, { buyer })],
    }),
    table.page(OrdersOfBuyer, { ...ordersOfBuyer(buyer), newestFirst: true }, { limit: 1 }),
  ]);
  const [customer] = customers;
  if (!customer) return undefined;
  const [{ orders: count, pending: unpaid } = { orders: 0, pending: 0 }] = buyers;
  const [last] = newest.records;
  return {
    customer,
    book: books[0],
    orders: { count, unpaid, last: last ? { id: last.order_id, placed_at: last.placed_at } : null },
  };
}

/**
 * Stores a change of a customer by staff, with its activity row.
 *
 * @param first the customer, as the request has read it
 * @throws AppError `not_found`, `version_mismatch`
 */
export async function patchCustomer(
  call: EditCall<CustomerPatch>,
  first: CustomerRecord | undefined,
  { table, settings }: Shop<"table" | "settings", CommerceGroup>,
): Promise<CustomerRecord> {
  const { params, headers, body, now } = call;
  const { country } = (await settings.current()).store;
  let record = first;
  const readAgain = async () => (record = await readCustomer(table, params.id))?.customer;
  const customer = await change(record?.customer, readAgain, headers["if-match"], {
    change: (before) => changedByStaff(before, body, now),
    save: (before, after) =>
      table.transact([
        replaceCustomer(before, after),
        ...movePhone(before, after, country),
        ...moveName(before, after),
        activity(auditContextOf(call), before, after),
      ]),
  });
  return { ...orNotFound(record), customer };
}

function activity(audit: AuditContext, before: Customer, after: Customer) {
  const verb = after.status === "disabled" ? "disable" : "enable";
  const action = `customer.${before.status === after.status ? "update" : verb}`;
  const target = { kind: "customer", id: after.id, label: after.name };
  return recordActivity(audit, action, target, { before, after });
}
