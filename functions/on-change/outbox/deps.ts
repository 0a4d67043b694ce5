import { connectConsumer } from "#functions/connect/consumer.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import { connectKeys } from "#functions/connect/keys.ts";
import { connectPictureMailer } from "#functions/connect/mailer.ts";
import { connectQueue } from "#functions/connect/queue.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import { mayMailUnpaid } from "#shared/application/mail/letter-limits.ts";
import type { MailDeps } from "#shared/application/mail/send-mail.ts";
import type { Queue } from "#shared/queues/queue.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { documentsOf } from "#shared/storage/document/documents.ts";
import { findMailBlocks } from "#shared/storage/customer/mail-blocks.ts";
import { openEnquiries } from "#shared/storage/enquiry/enquiries.ts";
import { openMarketingRecords } from "#shared/storage/marketing/marketing-records.ts";
import { openOrders } from "#shared/storage/order/orders.ts";
import { type OutboxStore, openOutbox } from "#shared/storage/outbox.ts";
import { openRateCounters } from "#shared/storage/rate-counters.ts";
import { openGroups } from "#shared/storage/settings/settings.ts";

export interface Deps extends MailDeps {
  outbox: OutboxStore;
  /** The queue that invokes this function. Failed messages wait in it for a retry. */
  queue: Pick<Queue, "postpone">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const { table, log, now } = connectConsumer(environment, "on-change-outbox");
  const settings = openGroups(table, ["store", "payments", "shipping", "tax", "email", "seo"]);
  const rates = openRateCounters(table, log);
  return {
    outbox: openOutbox(table),
    orders: openOrders(table),
    enquiries: openEnquiries(table),
    marketing: openMarketingRecords(table),
    linkKeys: connectKeys(environment, "LINK"),
    apiBaseUrl: readVariable(environment, "API_BASE_URL"),
    settings,
    documents: (ownerId) => documentsOf(table, ownerId),
    readDocument: openObjectStore(bucketOf(environment, "DOCUMENTS_BUCKET")).get,
    mailer: connectPictureMailer(environment, readVariable(environment, "MEDIA_BASE_URL")),
    mailBlocks: (emails) => findMailBlocks(table, emails),
    mayMailUnpaid: (email) => mayMailUnpaid(email, { table, settings, rates }, now()),
    queue: connectQueue(environment, "OUTBOX_QUEUE_URL"),
    log,
    now,
  };
}
