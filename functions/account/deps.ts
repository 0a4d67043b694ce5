import {
  type CustomerFamilyDeps,
  connectCustomerFamily,
} from "#functions/connect/customer-family.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectKeys } from "#functions/connect/keys.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import {
  type DocumentLinks,
  openDocumentLinks,
} from "#shared/application/document/document-links.ts";
import type { ProofDeps } from "#shared/auth/order-proof.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type CustomerStore, openCustomers } from "#shared/storage/customer/customers.ts";

export interface Deps extends CustomerFamilyDeps, ProofDeps {
  customers: CustomerStore;
  orders: OrderStore;
  documentLinks: DocumentLinks;
  /** The queue of the consumer that draws documents. */
  documents: Pick<Queue, "send">;
  /** The address of the API as callers use it; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const family = connectCustomerFamily(environment, "account");
  return {
    ...family,
    customers: openCustomers(family.table),
    orders: openOrders(family.table),
    linkKeys: connectKeys(environment, "LINK"),
    documentLinks: openDocumentLinks(bucketOf(environment, "DOCUMENTS_BUCKET")),
    documents: connectQueue(environment, "DOCUMENTS_QUEUE_URL"),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
  };
}
