import type { MailBlock } from "#shared/domain/customer/mail-block.ts";
import type { ReadObject } from "#shared/files/object-reader.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { type Mailer, openMailer } from "#shared/mail/mailer.ts";
import { type Queue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { type EnquiryStore, openEnquiries } from "#shared/storage/enquiry/enquiries.ts";
import {
  type MarketingRecords,
  openMarketingRecords,
} from "#shared/storage/marketing/marketing-records.ts";
import { type OrderStore, openOrders } from "#shared/storage/order/orders.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { type SettingsStore, openGroups } from "#shared/storage/settings/settings.ts";
import { openTable } from "#shared/storage/table.ts";

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
  const {
    TABLE_NAME,
    DYNAMODB_ENDPOINT,
    OUTBOX_QUEUE_URL,
    SQS_ENDPOINT,
    SES_ENDPOINT,
    MAIL_FROM,
    MAIL_CONFIGURATION_SET,
    API_BASE_URL,
    DOCUMENTS_BUCKET,
    S3_ENDPOINT,
  } = readEnvironment(environment, [
    "TABLE_NAME",
    "DYNAMODB_ENDPOINT",
    "OUTBOX_QUEUE_URL",
    "SQS_ENDPOINT",
    "SES_ENDPOINT",
    "MAIL_FROM",
    "MAIL_CONFIGURATION_SET",
    "API_BASE_URL",
    "DOCUMENTS_BUCKET",
    "S3_ENDPOINT",
  ]);
  const table = openTable({ name: TABLE_NAME, endpoint: DYNAMODB_ENDPOINT });
  return {
    outbox: openOutbox(table),
    orders: openOrders(table),
    enquiries: openEnquiries(table),
    marketing: openMarketingRecords(table),
    apiBaseUrl: API_BASE_URL,
    settings: openGroups(table, ["store", "payments", "shipping", "tax", "email", "seo"]),
    documents: (ownerId) => documentsOf(table, ownerId),
    readDocument: openObjectStore({ bucket: DOCUMENTS_BUCKET, endpoint: S3_ENDPOINT }).get,
    mailer: openMailer({
      from: MAIL_FROM,
      configurationSet: MAIL_CONFIGURATION_SET,
      endpoint: SES_ENDPOINT,
    }),
    mailBlocks: (emails) => findMailBlocks(table, emails),
    queue: openQueue({ url: OUTBOX_QUEUE_URL, endpoint: SQS_ENDPOINT }),
    log: openLog("on-change-outbox"),
    now: () => new Date(),
  };
}
