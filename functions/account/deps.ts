import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect/customer-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type CustomerStore, openCustomers } from "#shared/storage/customer/customers.ts";

export interface Deps extends CustomerFamilyDeps {
  customers: CustomerStore;
  orders: OrderStore;
  documentLinks: DocumentLinks;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "account");
  return {
    ...family,
    customers: openCustomers(family.table),
    orders: openOrders(family.table),
    documentLinks: openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET")),
  };
}
