import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type CustomerStore, openCustomers } from "#shared/storage/customer/customers.ts";

export interface Deps extends CustomerFamilyDeps {
  customers: CustomerStore;
  orders: OrderStore;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "account");
  const { table } = family;
  return { ...family, customers: openCustomers(table), orders: openOrders(table) };
}
