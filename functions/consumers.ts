import type { DeployedFunction } from "./deployed-function.ts";
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

export const consumers: readonly Consumer[] = [
  {
    name: "on-change-stream",
    entry: "functions/on-change/stream/handler.ts",
    source: {
      kind: "stream",
      batchSize: 100,
      ...streamed,
      // Half of the stream's retention time. During the other half, operators can repair changes that Lambda failed to
      // store.
      maxAgeHours: 12,
    },
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: [
      "CATALOG_INDEX_QUEUE_URL",
      "STAFF_INDEX_QUEUE_URL",
      "OUTBOX_QUEUE_URL",
      "MEDIA_QUEUE_URL",
      "MEDIA_USES_QUEUE_URL",
      "WHATSAPP_QUEUE_URL",
      "INBOX_FILES_QUEUE_URL",
      "METRICS_QUEUE_URL",
      "ORDER_NAMES_QUEUE_URL",
      "ERASED_IDS_QUEUE_URL",
      "SQS_ENDPOINT",
      "FAILED_CHANGES_BUCKET",
      "S3_ENDPOINT",
    ],
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
        "erased-ids",
      ],
    },
  },
  {
    name: "on-change-catalog-index",
    entry: "functions/on-change/catalog-index/handler.ts",
    source: { kind: "queue", queue: "catalog-index", batchSize: 10, maxConcurrency: 2 },
    // One vCPU: at the end of a rebuild of 50,000 products, one batch takes 4 seconds of CPU, besides processing
    // changes.
    memoryMb: 1769,
    timeoutSeconds: 20,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INDEX_BUCKET",
      "S3_ENDPOINT",
      "CATALOG_INDEX_QUEUE_URL",
      "SQS_ENDPOINT",
      "MEDIA_BASE_URL",
    ],
    permissions: {
      reads: [
        "card",
        "categories",
        "kept_view",
        "published_material",
        "published_product",
        "published_sofa",
        "published_sofa_landing",
        "stock",
        "superseded_view",
        "view_pointer",
        "view_rebuild",
      ],
      writes: [
        "card",
        "kept_view",
        "published_product",
        "published_sofa",
        "superseded_view",
        "view_pointer",
        "view_rebuild",
      ],
      buckets: { index: "write" },
      queues: ["catalog-index"],
    },
  },
  {
    name: "on-change-staff-index",
    entry: "functions/on-change/staff-index/handler.ts",
    source: { kind: "queue", queue: "staff-index", batchSize: 10, maxConcurrency: 2 },
    // One vCPU: 50,000 products with 130,000 SKUs make 180,000 index rows, and rewriting all of them takes 12 seconds.
    memoryMb: 1769,
    timeoutSeconds: 30,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INDEX_BUCKET",
      "S3_ENDPOINT",
      "STAFF_INDEX_QUEUE_URL",
      "SQS_ENDPOINT",
      "MEDIA_BASE_URL",
    ],
    permissions: {
      reads: [
        "dropped_sku",
        "kept_view",
        "material",
        "product",
        "sofa",
        "stock",
        "superseded_view",
        "view_pointer",
        "view_rebuild",
      ],
      writes: ["kept_view", "superseded_view", "view_pointer", "view_rebuild"],
      buckets: { index: "write" },
      queues: ["staff-index"],
    },
  },
  {
    name: "on-change-outbox",
    entry: "functions/on-change/outbox/handler.ts",
    source: { kind: "queue", queue: "outbox", batchSize: 5, maxConcurrency: 10 },
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "OUTBOX_QUEUE_URL",
      "SQS_ENDPOINT",
      "SES_ENDPOINT",
      "MAIL_FROM",
      "MAIL_CONFIGURATION_SET",
    ],
    permissions: {
      reads: [
        "lead",
        "mail_block",
        "order",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "quote",
        "settings",
      ],
      writes: ["outbox"],
      mails: true,
    },
  },
  {
    name: "on-change-media",
    entry: "functions/on-change/media/handler.ts",
    // Pictures take seconds of CPU each: a burst waits in the queue instead of using up the account's concurrency.
    source: { kind: "queue", queue: "media", batchSize: 1, maxConcurrency: 4 },
    packages: ["sharp"],
    // Two vCPUs, and memory for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "QUARANTINE_BUCKET",
      "MEDIA_BUCKET",
      "S3_ENDPOINT",
    ],
    permissions: {
      reads: ["fabric_upload", "media_item", "media_use"],
      writes: ["fabric_upload", "media_item"],
      buckets: { media: "write", quarantine: "empty" },
    },
  },
  {
    name: "on-change-media-uses",
    entry: "functions/on-change/media-uses/handler.ts",
    source: { kind: "queue", queue: "media-uses", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    permissions: {
      reads: [
        "categories",
        "home",
        "published_home",
        "published_material",
        "published_page",
        "published_product",
        "published_sofa",
        "published_sofa_landing",
        "published_story",
        "material",
        "page",
        "product",
        "sofa",
        "story",
      ],
      writes: ["fabric_upload", "media_use"],
    },
  },
  {
    name: "on-change-whatsapp",
    entry: "functions/on-change/whatsapp/handler.ts",
    source: { kind: "queue", queue: "whatsapp", batchSize: 5, maxConcurrency: 5 },
    memoryMb: 256,
    timeoutSeconds: 45,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "WHATSAPP_API_URL",
      "MEDIA_BASE_URL",
    ],
    permissions: {
      reads: ["conversation", "settings", "settings_secrets"],
      writes: ["message", "whatsapp_message"],
      secrets: ["settings"],
    },
  },
  {
    name: "on-change-inbox-files",
    entry: "functions/on-change/inbox-files/handler.ts",
    // The concurrency is limited, so a burst of customers' pictures waits in the queue.
    source: { kind: "queue", queue: "inbox-files", batchSize: 1, maxConcurrency: 2 },
    packages: ["sharp"],
    // Two vCPUs, and memory for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INBOX_BUCKET",
      "S3_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "WHATSAPP_API_URL",
    ],
    permissions: {
      reads: ["message", "settings", "settings_secrets"],
      writes: ["message"],
      buckets: { inboxFiles: "write" },
      secrets: ["settings"],
    },
  },
  {
    name: "on-change-metrics",
    entry: "functions/on-change/metrics/handler.ts",
    // Concurrent invocations update the same rows; more than eight would often conflict.
    source: { kind: "queue", queue: "metrics", batchSize: 10, maxConcurrency: 8 },
    memoryMb: 512,
    // A batch has up to 400 changes. Changed records are counted in transactions of up to 25, one after the other.
    timeoutSeconds: 90,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    permissions: {
      reads: [
        "card",
        "conversation",
        "counted_event",
        "counted_thing",
        "metrics",
        "lead",
        "published_product",
        "published_sofa",
        "message",
        "order",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "quote",
        "settings",
        "stock",
        "visit",
      ],
      writes: ["counted_event", "counted_thing", "metrics", "visit"],
    },
  },
  {
    name: "on-change-order-names",
    entry: "functions/on-change/order-names/handler.ts",
    source: { kind: "queue", queue: "order-names", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    // A batch has up to 1,000 orders, processed in transactions of up to 25, one after the other.
    timeoutSeconds: 60,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    permissions: { reads: ["order", "order_names"], writes: ["order_names", "order_of_name"] },
  },
  {
    name: "on-change-mail-events",
    entry: "functions/on-change/mail-events/handler.ts",
    source: { kind: "queue", queue: "mail-events", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    permissions: { writes: ["mail_block"] },
  },
  {
    name: "on-change-erased-ids",
    entry: "functions/on-change/erased-ids/handler.ts",
    source: { kind: "queue", queue: "erased-ids", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 60,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "ERASED_IDS_BUCKET", "S3_ENDPOINT"],
    permissions: { writes: ["erased_id"], buckets: { erasedIds: "write" } },
  },
  {
    name: "on-change-exports",
    entry: "functions/on-change/exports/handler.ts",
    source: { kind: "queue", queue: "exports", batchSize: 1, maxConcurrency: 2 },
    // One vCPU for compression and checksums. The consumer keeps only a few parts of an export in memory, of 8 MB each.
    memoryMb: 1769,
    timeoutSeconds: 900,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INDEX_BUCKET",
      "EXPORTS_BUCKET",
      "EXPORTS_QUEUE_URL",
      "S3_ENDPOINT",
      "SQS_ENDPOINT",
    ],
    permissions: {
      reads: [
        "categories",
        "export_job",
        "faq_group",
        "faq_order",
        "home",
        "published_announcement",
        "published_home",
        "published_menus",
        "published_page",
        "published_sofa_landing",
        "published_story",
        "material",
        "media_item",
        "media_use",
        "order",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "page",
        "product",
        "redirect",
        "redirect_map",
        "settings",
        "sofa",
        "stock",
        "story",
        "view_pointer",
      ],
      writes: ["export_job"],
      buckets: { index: "read", exports: "write" },
      queues: ["exports"],
    },
  },
  {
    name: "on-schedule-due-orders",
    entry: "functions/on-schedule/due-orders/handler.ts",
    source: { kind: "schedule", everyMinutes: 1 },
    memoryMb: 512,
    reservedConcurrency: 1,
    // Less than a minute, so that runs do not overlap.
    timeoutSeconds: 55,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "STRIPE_API_URL",
    ],
    permissions: {
      reads: [
        "due_order",
        "invoice_numbers",
        "invoice_to_issue",
        "order",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "settings",
        "settings_secrets",
      ],
      writes: [
        "buyer",
        "coupon_uses",
        "due_order",
        "invoice_numbers",
        "invoice_to_issue",
        "order",
        "order_timeline",
        "order_to_see",
        "order_transaction",
        "outbox",
        "quote",
        "stock",
      ],
      secrets: ["settings"],
    },
  },
  {
    name: "on-schedule-outbox-sweep",
    entry: "functions/on-schedule/outbox-sweep/handler.ts",
    source: { kind: "schedule", everyMinutes: 5 },
    memoryMb: 256,
    reservedConcurrency: 1,
    timeoutSeconds: 60,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "OUTBOX_QUEUE_URL",
      "ERASED_IDS_QUEUE_URL",
      "SQS_ENDPOINT",
    ],
    permissions: {
      reads: ["erased_id", "outbox"],
      writes: ["outbox"],
      queues: ["erased-ids", "outbox"],
    },
  },
  {
    name: "on-schedule-token-keys",
    entry: "functions/on-schedule/token-keys/handler.ts",
    // Checks the age of the keys every hour; a rotation is rarely due.
    source: { kind: "schedule", everyMinutes: 60 },
    memoryMb: 256,
    reservedConcurrency: 1,
    timeoutSeconds: 30,
    environment: ["CUSTOMER_TOKEN_SECRET", "STAFF_TOKEN_SECRET"],
    permissions: { rotates: ["customer", "staff"] },
  },
];
