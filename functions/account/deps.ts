import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import { type CustomerStore, openCustomers } from "#shared/storage/customer/customers.ts";

export interface Deps extends CustomerFamilyDeps {
  customers: CustomerStore;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "account");
  return { ...family, customers: openCustomers(family.table) };
}
