import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectMailer } from "#functions/connect/mailer.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { Log } from "#shared/runtime/log.ts";
import type { Mailer } from "#shared/mail/mailer.ts";
import type { Queue } from "#shared/queues/queue.ts";
import type { MailBlock } from "#shared/domain/customer/mail-block.ts";
import type { ReadObject } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { type EnquiryStore, openEnquiries } from "#shared/storage/enquiry/enquiries.ts";
import {
  type MarketingRecords,
  openMarketingRecords,
} from "#shared/storage/marketing/marketing-records.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps {
  outbox: OutboxStore;
  orders: Pick<OrderStore, "find">;
  enquiries: EnquiryStore;
  marketing: MarketingRecords;
  settings: SettingsStore<"store" | "payments" | "shipping" | "tax" | "email" | "seo">;
  /** The credit notes, vouchers and documents of an order, or the documents of a quote. */
  documents(ownerId: string): ReturnType<typeof documentsOf>;
  readDocument: ReadObject;
  mailer: Mailer;
  /** The address of the API as callers use it, for unsubscribe links; undefined if it is not configured. */
  apiBaseUrl: string | undefined;
  /** The block of each address in the order of `emails`; undefined for an address that is not blocked. */
  mailBlocks(emails: readonly string[]): Promise<(MailBlock | undefined)[]>;
  /** The queue that invokes this function. Failed messages wait in it for a retry. */
  queue: Pick<Queue, "postpone">;
  log: Log;
  now(): Date;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { table, log, now } = connectConsumer(environment, "on-change-outbox");
  return {
    outbox: openOutbox(table),
    orders: openOrders(table),
    enquiries: openEnquiries(table),
    marketing: openMarketingRecords(table),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
    settings: openGroups(table, ["store", "payments", "shipping", "tax", "email", "seo"]),
    documents: (ownerId) => documentsOf(table, ownerId),
    readDocument: openObjectStore(bucketOf(environment, "DOCUMENTS_BUCKET")).get,
    mailer: connectMailer(environment),
    mailBlocks: (emails) => findMailBlocks(table, emails),
    queue: connectQueue(environment, "OUTBOX_QUEUE_URL"),
    log,
    now,
  };
}
