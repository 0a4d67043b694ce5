import { type Declared, type DeployedFunction, deployed } from "./deployed-function.ts";
import { streamed } from "#shared/storage/streamed.ts";
import type { QueueName } from "./queues.ts";

/** A Lambda whose event source is the table's stream, a queue or a schedule. */
export interface Consumer extends DeployedFunction {
  readonly source:
    | {
        readonly kind: "stream";
        readonly batchSize: number;
        /** Prefixes of `pk`. Every change of a matching item invokes the function. */
        readonly partitions: readonly string[];
        /** Prefixes of `pk`. Only the creation of a matching item invokes the function, not later changes. */
        readonly newIn: readonly string[];
        /** Further items, by a prefix of `pk` and by `sk`. Every change of one of them invokes the function. */
        readonly rows: { readonly partition: string; readonly sortKeys: readonly string[] };
        /** How long a failing batch is retried. After that Lambda stores it in the bucket of failed changes. */
        readonly maxAgeHours: number;
      }
    | {
        readonly kind: "queue";
        readonly queue: QueueName;
        readonly batchSize: number;
        /**
         * Maximum concurrent invocations. The limit leaves enough of the account's concurrency to the functions behind
         * the API. Further messages wait in the queue without using up an attempt.
         */
        readonly maxConcurrency: number;
      }
    | { readonly kind: "schedule"; readonly everyMinutes: number };
}

const declared: readonly Declared<Consumer>[] = [
  {
    name: "on-change-stream",
    parts: [
      "log",
      "failedChangeFiles",
      "catalogIndexQueue",
      "staffIndexQueue",
      "outboxQueue",
      "mediaQueue",
      "mediaUsesQueue",
      "whatsAppQueue",
      "inboxFilesQueue",
      "metricsQueue",
      "orderNamesQueue",
      "documentsQueue",
      "erasedIdsQueue",
      "marketingQueue",
    ],
    source: {
      kind: "stream",
      batchSize: 100,
      ...streamed,
      // Profiles and carts, but not the sessions in the same partitions.
      rows: { partition: "CUSTOMER#", sortKeys: ["PROFILE", "CART"] },
      // Half of the stream's retention time. During the other half, operators can still read from the stream what
      // Lambda failed to store.
      maxAgeHours: 12,
    },
    memoryMb: 256,
    timeoutSeconds: 30,
    permissions: {
      buckets: { failedChanges: "write" },
      queues: [
        "catalog-index",
        "staff-index",
        "outbox",
        "media",
        "media-uses",
        "whatsapp",
        "inbox-files",
        "metrics",
        "order-names",
        "documents",
        "erased-ids",
        "marketing",
      ],
    },
  },
  {
    name: "on-change-catalog-index",
    parts: ["log", "table", "catalogIndexWriter"],
    source: { kind: "queue", queue: "catalog-index", batchSize: 10, maxConcurrency: 2 },
    // One vCPU: the last batch of a rebuild of 50,000 products takes 4 seconds of CPU.
    memoryMb: 1769,
    timeoutSeconds: 20,
    permissions: { buckets: { index: "write" }, queues: ["catalog-index"] },
  },
  {
    name: "on-change-staff-index",
    parts: ["log", "table", "staffIndexWriter"],
    source: { kind: "queue", queue: "staff-index", batchSize: 10, maxConcurrency: 2 },
    // One vCPU: 50,000 products with 130,000 SKUs make 180,000 index rows, and rewriting all of them takes 12 seconds.
    memoryMb: 1769,
    timeoutSeconds: 30,
    permissions: { buckets: { index: "write" }, queues: ["staff-index"] },
  },
  {
    name: "on-change-outbox",
    parts: [
      "log",
      "now",
      "elapsed",
      "table",
      "rates",
      "linkKeys",
      "apiBaseUrl",
      "mediaBaseUrl",
      "documentFiles",
      "mailer",
      "outboxQueue",
    ],
    settings: ["store", "payments", "shipping", "tax", "email", "seo"],
    source: { kind: "queue", queue: "outbox", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 512,
    timeoutSeconds: 30,
    // The function delays messages of its own queue, which its event source permits.
    environment: ["OUTBOX_QUEUE_URL", "SQS_ENDPOINT", "API_BASE_URL", "MEDIA_BASE_URL"],
    permissions: { buckets: { documents: "read" }, secrets: ["links"], mails: true },
  },
  {
    name: "on-change-media",
    parts: ["log", "now", "table", "quarantineFiles", "publishedFiles", "fileKeeper"],
    // Each picture takes seconds of CPU. A burst of pictures waits in the queue and does not use up the account's
    // concurrency.
    source: { kind: "queue", queue: "media", batchSize: 1, maxConcurrency: 4 },
    packages: ["sharp"],
    // Two vCPUs, and memory for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
    permissions: { buckets: { media: "write", quarantine: "empty" } },
  },
  {
    name: "on-change-media-uses",
    parts: ["log", "table"],
    source: { kind: "queue", queue: "media-uses", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    timeoutSeconds: 30,
  },
  {
    name: "on-change-whatsapp",
    parts: [
      "log",
      "now",
      "elapsed",
      "table",
      "settingsKeys",
      "secrets",
      "messagingSettings",
      "whatsApp",
      "whatsAppAccount",
      "inboxFiles",
      "copyInboxFile",
      "mediaBaseUrl",
    ],
    source: { kind: "queue", queue: "whatsapp", batchSize: 5, maxConcurrency: 5 },
    memoryMb: 256,
    timeoutSeconds: 45,
    environment: ["WHATSAPP_API_URL", "MEDIA_BASE_URL"],
    permissions: { buckets: { inboxFiles: "move" }, secrets: ["settings"] },
  },
  {
    name: "on-change-inbox-files",
    parts: [
      "log",
      "elapsed",
      "table",
      "settingsKeys",
      "secrets",
      "messagingSettings",
      "whatsAppAccount",
      "fetchWhatsAppFile",
      "inboxFiles",
    ],
    // The concurrency is limited, so a burst of customers' pictures waits in the queue.
    source: { kind: "queue", queue: "inbox-files", batchSize: 1, maxConcurrency: 2 },
    packages: ["sharp"],
    // Two vCPUs, and memory for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
    environment: ["WHATSAPP_API_URL"],
    permissions: { buckets: { inboxFiles: "write" }, secrets: ["settings"] },
  },
  {
    name: "on-change-metrics",
    parts: ["log", "elapsed", "table", "soldItems"],
    settings: ["store"],
    // Concurrent invocations update the same rows; more than eight would often conflict.
    source: { kind: "queue", queue: "metrics", batchSize: 10, maxConcurrency: 8 },
    memoryMb: 512,
    // A batch has up to 400 changes. Changed records are counted in transactions of up to 25, one after the other.
    timeoutSeconds: 90,
  },
  {
    name: "on-change-order-names",
    parts: ["log", "table"],
    source: { kind: "queue", queue: "order-names", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    // A batch has up to 1,000 orders, processed in transactions of up to 25, one after the other.
    timeoutSeconds: 60,
  },
  {
    name: "on-change-documents",
    parts: ["log", "now", "elapsed", "table", "documentFiles", "outboxQueue"],
    settings: ["store", "payments", "shipping", "tax"],
    source: { kind: "queue", queue: "documents", batchSize: 5, maxConcurrency: 4 },
    packages: ["@expo-google-fonts/mukta"],
    // One vCPU: a cold start that draws one document takes about half a second of CPU, each further document 20 ms.
    memoryMb: 1769,
    // A batch has up to 500 changes, processed one after the other.
    timeoutSeconds: 120,
    permissions: { buckets: { documents: "write" }, queues: ["outbox"] },
  },
  {
    name: "on-change-mail-events",
    parts: ["log", "now", "table"],
    source: { kind: "queue", queue: "mail-events", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 30,
  },
  {
    name: "on-change-erased-ids",
    parts: ["log", "table", "erasedIdLedger"],
    source: { kind: "queue", queue: "erased-ids", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 60,
    permissions: { buckets: { erasedIds: "write" } },
  },
  {
    name: "on-change-marketing",
    parts: ["log", "now", "elapsed", "table", "randomBytes"],
    settings: ["checkout"],
    source: { kind: "queue", queue: "marketing", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    // A batch has up to 200 changes, processed one after the other.
    timeoutSeconds: 60,
  },
  {
    name: "on-change-exports",
    parts: ["log", "now", "table", "staffIndexSource", "exportFiles", "exportsQueue"],
    source: { kind: "queue", queue: "exports", batchSize: 1, maxConcurrency: 2 },
    // One vCPU for compression and checksums. The consumer keeps only a few parts of an export in memory, of 8 MB each.
    memoryMb: 1769,
    timeoutSeconds: 900,
    permissions: { buckets: { index: "read", exports: "write" }, queues: ["exports"] },
  },
  {
    name: "on-schedule-due-orders",
    parts: ["log", "now", "elapsed", "table", "settingsKeys", "secrets", "gateways"],
    settings: ["checkout", "payments"],
    source: { kind: "schedule", everyMinutes: 1 },
    memoryMb: 512,
    reservedConcurrency: 1,
    // Less than a minute, so that runs do not overlap.
    timeoutSeconds: 55,
    environment: ["STRIPE_API_URL"],
    permissions: { secrets: ["settings"] },
  },
  {
    name: "on-schedule-marketing",
    parts: ["log", "now", "elapsed", "table", "apiBaseUrl"],
    settings: ["store", "checkout"],
    source: { kind: "schedule", everyMinutes: 1 },
    memoryMb: 256,
    reservedConcurrency: 1,
    // Less than a minute, so that runs do not overlap.
    timeoutSeconds: 55,
    environment: ["API_BASE_URL"],
  },
  {
    name: "on-schedule-outbox-sweep",
    parts: ["log", "now", "table", "outboxQueue", "erasedIdsQueue"],
    source: { kind: "schedule", everyMinutes: 5 },
    memoryMb: 256,
    reservedConcurrency: 1,
    timeoutSeconds: 60,
    permissions: { queues: ["erased-ids", "outbox"] },
  },
  {
    name: "on-schedule-feeds",
    parts: ["log", "now", "table", "publicFiles", "mediaBaseUrl", "apiBaseUrl"],
    source: { kind: "schedule", everyMinutes: 5 },
    // One vCPU, for reading and compressing a large catalog.
    memoryMb: 1769,
    reservedConcurrency: 1,
    // Less than five minutes, so that runs do not overlap.
    timeoutSeconds: 280,
    environment: ["MEDIA_BASE_URL", "API_BASE_URL"],
    permissions: { buckets: { media: "write" } },
  },
  {
    name: "on-schedule-token-keys",
    parts: ["log", "now", "randomBytes", "tokenSecrets", "secretsManager"],
    // Checks the age of the keys every hour; a rotation is rarely due.
    source: { kind: "schedule", everyMinutes: 60 },
    memoryMb: 256,
    reservedConcurrency: 1,
    timeoutSeconds: 30,
    permissions: { rotates: ["customer", "staff"] },
  },
];

export const consumers: readonly Consumer[] = declared.map(deployed);
