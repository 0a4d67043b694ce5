import { type FifoQueue, type Queue, openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";

export interface Deps {
  catalogView: FifoQueue;
  staffView: FifoQueue;
  outbox: Pick<Queue, "send">;
  media: Pick<Queue, "send">;
  mediaUses: FifoQueue;
  whatsApp: FifoQueue;
  figures: Pick<Queue, "send">;
  orderNames: Pick<Queue, "send">;
}

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const {
    CATALOG_VIEW_QUEUE_URL,
    STAFF_VIEW_QUEUE_URL,
    OUTBOX_QUEUE_URL,
    MEDIA_QUEUE_URL,
    MEDIA_USES_QUEUE_URL,
    WHATSAPP_QUEUE_URL,
    FIGURES_QUEUE_URL,
    ORDER_NAMES_QUEUE_URL,
    SQS_ENDPOINT: endpoint,
  } = readEnvironment(environment, [
    "CATALOG_VIEW_QUEUE_URL",
    "STAFF_VIEW_QUEUE_URL",
    "OUTBOX_QUEUE_URL",
    "MEDIA_QUEUE_URL",
    "MEDIA_USES_QUEUE_URL",
    "WHATSAPP_QUEUE_URL",
    "FIGURES_QUEUE_URL",
    "ORDER_NAMES_QUEUE_URL",
    "SQS_ENDPOINT",
  ]);
  return {
    catalogView: openFifoQueue({ url: CATALOG_VIEW_QUEUE_URL, endpoint }),
    staffView: openFifoQueue({ url: STAFF_VIEW_QUEUE_URL, endpoint }),
    outbox: openQueue({ url: OUTBOX_QUEUE_URL, endpoint }),
    media: openQueue({ url: MEDIA_QUEUE_URL, endpoint }),
    mediaUses: openFifoQueue({ url: MEDIA_USES_QUEUE_URL, endpoint }),
    whatsApp: openFifoQueue({ url: WHATSAPP_QUEUE_URL, endpoint }),
    figures: openQueue({ url: FIGURES_QUEUE_URL, endpoint }),
    orderNames: openQueue({ url: ORDER_NAMES_QUEUE_URL, endpoint }),
  };
}
