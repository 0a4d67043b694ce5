import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect-customer-family.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type CustomerStore, openCustomers } from "#shared/storage/customer/customers.ts";

export interface Deps extends CustomerFamilyDeps {
  customers: CustomerStore;
  orders: OrderStore;
  documentLinks: DocumentLinks;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "account");
  const { table } = family;
  const { DOCUMENTS_BUCKET: bucket, S3_ENDPOINT: endpoint } = readEnvironment(environment, [
    "DOCUMENTS_BUCKET",
    "S3_ENDPOINT",
  ]);
  return {
    ...family,
    customers: openCustomers(table),
    orders: openOrders(table),
    documentLinks: openDocumentLinks({ bucket, endpoint }),
  };
}
