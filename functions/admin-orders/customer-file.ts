import type { CustomerRecord } from "#shared/domain/customer/admin-customer.ts";
import { AddressBooks } from "#shared/storage/customer/addresses.ts";
import { type BuyerKey, Buyers } from "#shared/storage/order/buyers.ts";
import { ordersOfBuyer } from "#shared/storage/order/customer-orders.ts";
import { Customers } from "#shared/storage/customer/customers.ts";
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
    table.query(OrdersOfBuyer, { ...ordersOfBuyer(buyer), limit: 1, newestFirst: true }),
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
