import { type FifoQueue, type Queue, openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { openObjectStore } from "#shared/files/object-store.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
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
  const {
    CATALOG_INDEX_QUEUE_URL,
    STAFF_INDEX_QUEUE_URL,
    OUTBOX_QUEUE_URL,
    MEDIA_QUEUE_URL,
    MEDIA_USES_QUEUE_URL,
    WHATSAPP_QUEUE_URL,
    INBOX_FILES_QUEUE_URL,
    METRICS_QUEUE_URL,
    ORDER_NAMES_QUEUE_URL,
    DOCUMENTS_QUEUE_URL,
    ERASED_IDS_QUEUE_URL,
    MARKETING_QUEUE_URL,
    FAILED_CHANGES_BUCKET,
    S3_ENDPOINT,
    SQS_ENDPOINT: endpoint,
  } = readEnvironment(environment, [
    "CATALOG_INDEX_QUEUE_URL",
    "STAFF_INDEX_QUEUE_URL",
    "OUTBOX_QUEUE_URL",
    "MEDIA_QUEUE_URL",
    "MEDIA_USES_QUEUE_URL",
    "WHATSAPP_QUEUE_URL",
    "INBOX_FILES_QUEUE_URL",
    "METRICS_QUEUE_URL",
    "ORDER_NAMES_QUEUE_URL",
    "DOCUMENTS_QUEUE_URL",
    "ERASED_IDS_QUEUE_URL",
    "MARKETING_QUEUE_URL",
    "FAILED_CHANGES_BUCKET",
    "S3_ENDPOINT",
    "SQS_ENDPOINT",
  ]);
  return {
    catalogIndex: openFifoQueue({ url: CATALOG_INDEX_QUEUE_URL, endpoint }),
    staffIndex: openFifoQueue({ url: STAFF_INDEX_QUEUE_URL, endpoint }),
    outbox: openQueue({ url: OUTBOX_QUEUE_URL, endpoint }),
    media: openQueue({ url: MEDIA_QUEUE_URL, endpoint }),
    mediaUses: openFifoQueue({ url: MEDIA_USES_QUEUE_URL, endpoint }),
    whatsApp: openFifoQueue({ url: WHATSAPP_QUEUE_URL, endpoint }),
    inboxFiles: openQueue({ url: INBOX_FILES_QUEUE_URL, endpoint }),
    metrics: openQueue({ url: METRICS_QUEUE_URL, endpoint }),
    orderNames: openQueue({ url: ORDER_NAMES_QUEUE_URL, endpoint }),
    documents: openQueue({ url: DOCUMENTS_QUEUE_URL, endpoint }),
    erasedIds: openQueue({ url: ERASED_IDS_QUEUE_URL, endpoint }),
    marketing: openQueue({ url: MARKETING_QUEUE_URL, endpoint }),
    failedChanges: openFailedChanges(
      openObjectStore({ bucket: FAILED_CHANGES_BUCKET, endpoint: S3_ENDPOINT }),
    ),
    log: openLog("on-change-stream"),
  };
}
