import type { IfOpened, Opener } from "#shared/application/shop.ts";
import { type FifoQueue, type Queue, openFifoQueue, openQueue } from "#shared/queues/queue.ts";
import { type VariableName, readVariable } from "#shared/runtime/environment.ts";

type Calling = IfOpened<"requestHandler">;
type QueueVariable = Extract<VariableName, `${string}_QUEUE_URL`>;

const optionsOf = (
  environment: NodeJS.ProcessEnv,
  variable: QueueVariable,
  { requestHandler }: Calling,
) => ({
  requestHandler,
  url: readVariable(environment, variable),
  endpoint: readVariable(environment, "SQS_ENDPOINT"),
});
const queue =
  (variable: QueueVariable): Opener<Queue, Calling> =>
  (environment, shop) =>
    openQueue(optionsOf(environment, variable, shop));
const fifoQueue =
  (variable: QueueVariable): Opener<FifoQueue, Calling> =>
  (environment, shop) =>
    openFifoQueue(optionsOf(environment, variable, shop));

export const catalogIndexQueue = fifoQueue("CATALOG_INDEX_QUEUE_URL");
export const staffIndexQueue = fifoQueue("STAFF_INDEX_QUEUE_URL");
export const mediaUsesQueue = fifoQueue("MEDIA_USES_QUEUE_URL");
export const whatsAppQueue = fifoQueue("WHATSAPP_QUEUE_URL");
export const documentsQueue = queue("DOCUMENTS_QUEUE_URL");
export const erasedIdsQueue = queue("ERASED_IDS_QUEUE_URL");
export const exportsQueue = queue("EXPORTS_QUEUE_URL");
export const inboxFilesQueue = queue("INBOX_FILES_QUEUE_URL");
export const marketingQueue = queue("MARKETING_QUEUE_URL");
export const mediaQueue = queue("MEDIA_QUEUE_URL");
export const metricsQueue = queue("METRICS_QUEUE_URL");
export const orderNamesQueue = queue("ORDER_NAMES_QUEUE_URL");
export const outboxQueue = queue("OUTBOX_QUEUE_URL");
