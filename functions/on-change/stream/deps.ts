import { connectFifoQueue, connectQueue } from "#functions/connect/queue.ts";
import { bucketOf } from "#functions/connect/bucket.ts";
import type { FifoQueue, Queue } from "#shared/queues/queue.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { type Log, openLog } from "#shared/runtime/log.ts";
import { type FailedChanges, openFailedChanges } from "./failed-changes.ts";

export interface Deps {
  catalogIndex: FifoQueue;
  staffIndex: FifoQueue;
  outbox: Pick<Queue, "send">;
  media: Pick<Queue, "send">;
  mediaUses: FifoQueue;
  whatsApp: FifoQueue;
  inboxFiles: Pick<Queue, "send">;
  metrics: Pick<Queue, "send">;
  orderNames: Pick<Queue, "send">;
  documents: Pick<Queue, "send">;
  erasedIds: Pick<Queue, "send">;
  marketing: Pick<Queue, "send">;
  failedChanges: Pick<FailedChanges, "add">;
  log: Pick<Log, "error">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  return {
    catalogIndex: connectFifoQueue(environment, "CATALOG_INDEX_QUEUE_URL"),
    staffIndex: connectFifoQueue(environment, "STAFF_INDEX_QUEUE_URL"),
    outbox: connectQueue(environment, "OUTBOX_QUEUE_URL"),
    media: connectQueue(environment, "MEDIA_QUEUE_URL"),
    mediaUses: connectFifoQueue(environment, "MEDIA_USES_QUEUE_URL"),
    whatsApp: connectFifoQueue(environment, "WHATSAPP_QUEUE_URL"),
    inboxFiles: connectQueue(environment, "INBOX_FILES_QUEUE_URL"),
    metrics: connectQueue(environment, "METRICS_QUEUE_URL"),
    orderNames: connectQueue(environment, "ORDER_NAMES_QUEUE_URL"),
    documents: connectQueue(environment, "DOCUMENTS_QUEUE_URL"),
    erasedIds: connectQueue(environment, "ERASED_IDS_QUEUE_URL"),
    marketing: connectQueue(environment, "MARKETING_QUEUE_URL"),
    failedChanges: openFailedChanges(
      openObjectStore(bucketOf(environment, "FAILED_CHANGES_BUCKET")),
    ),
    log: openLog("on-change-stream"),
  };
}
