import type { DeployedFunction } from "./deployed-function.ts";
import { picturedNames } from "#shared/storage/pictured-entities.ts";
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

export const consumers: readonly Consumer[] = [
  {
    name: "on-change-stream",
    entry: "functions/on-change/stream/handler.ts",
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
    entry: "functions/on-change/catalog-index/handler.ts",
    source: { kind: "queue", queue: "catalog-index", batchSize: 10, maxConcurrency: 2 },
    // One vCPU: the last batch of a rebuild of 50,000 products takes 4 seconds of CPU.
    memoryMb: 1769,
    timeoutSeconds: 20,
    permissions: {
      reads: [
        "card",
        "categories",
        "kept_view",
        "page",
        "published_material",
        "published_page",
        "published_product",
        "published_sofa",
        "published_sofa_landing",
        "published_story",
        "settings",
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
    permissions: {
      reads: [
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
    source: { kind: "queue", queue: "outbox", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 512,
    timeoutSeconds: 30,
    // The function delays messages of its own queue, which its event source permits.
    environment: ["OUTBOX_QUEUE_URL", "SQS_ENDPOINT", "API_BASE_URL", "MEDIA_BASE_URL"],
    permissions: {
      reads: [
        "cart",
        "credit_note",
        "customer",
        "customer_email",
        "document",
        "lead",
        "mail_block",
        "order",
        "order_change",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "product",
        "product_alert",
        "proven_email",
        "published_product",
        "published_sofa",
        "quote",
        "settings",
        "subscription",
        "voucher",
      ],
      writes: ["order_timeline", "outbox", "rate"],
      buckets: { documents: "read" },
      secrets: ["links"],
      mails: true,
    },
  },
  {
    name: "on-change-media",
    entry: "functions/on-change/media/handler.ts",
    // Each picture takes seconds of CPU. A burst of pictures waits in the queue and does not use up the account's
    // concurrency.
    source: { kind: "queue", queue: "media", batchSize: 1, maxConcurrency: 4 },
    packages: ["sharp"],
    // Two vCPUs, and memory for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
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
    permissions: {
      reads: picturedNames,
      writes: ["fabric_upload", "media_use"],
    },
  },
  {
    name: "on-change-whatsapp",
    entry: "functions/on-change/whatsapp/handler.ts",
    source: { kind: "queue", queue: "whatsapp", batchSize: 5, maxConcurrency: 5 },
    memoryMb: 256,
    timeoutSeconds: 45,
    environment: ["WHATSAPP_API_URL", "MEDIA_BASE_URL"],
    permissions: {
      reads: ["conversation", "message", "settings", "settings_secrets"],
      writes: ["conversation", "message", "whatsapp_message"],
      buckets: { inboxFiles: "move" },
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
    environment: ["WHATSAPP_API_URL"],
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
        "order_change",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "quote",
        "search_day",
        "settings",
        "sku_claim",
        "stock",
        "visit",
      ],
      writes: ["counted_event", "counted_thing", "metrics", "search_day", "visit"],
    },
  },
  {
    name: "on-change-order-names",
    entry: "functions/on-change/order-names/handler.ts",
    source: { kind: "queue", queue: "order-names", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    // A batch has up to 1,000 orders, processed in transactions of up to 25, one after the other.
    timeoutSeconds: 60,
    permissions: {
      reads: ["order", "order_names"],
      writes: ["order_names", "order_of_name"],
    },
  },
  {
    name: "on-change-documents",
    entry: "functions/on-change/documents/handler.ts",
    source: { kind: "queue", queue: "documents", batchSize: 5, maxConcurrency: 4 },
    packages: ["@expo-google-fonts/mukta"],
    // One vCPU: a cold start that draws one document takes about half a second of CPU, each further document 20 ms.
    memoryMb: 1769,
    // A batch has up to 500 changes, processed one after the other.
    timeoutSeconds: 120,
    permissions: {
      reads: [
        "credit_note",
        "credit_note_to_issue",
        "document",
        "invoice_numbers",
        "order",
        "order_change",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "quote",
        "settings",
        "voucher",
        "voucher_to_issue",
      ],
      writes: [
        "credit_note",
        "credit_note_to_issue",
        "document",
        "invoice_numbers",
        "voucher",
        "voucher_to_issue",
      ],
      buckets: { documents: "write" },
      queues: ["outbox"],
    },
  },
  {
    name: "on-change-mail-events",
    entry: "functions/on-change/mail-events/handler.ts",
    source: { kind: "queue", queue: "mail-events", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 30,
    permissions: { writes: ["mail_block"] },
  },
  {
    name: "on-change-erased-ids",
    entry: "functions/on-change/erased-ids/handler.ts",
    source: { kind: "queue", queue: "erased-ids", batchSize: 10, maxConcurrency: 2 },
    memoryMb: 256,
    timeoutSeconds: 60,
    permissions: { writes: ["erased_id"], buckets: { erasedIds: "write" } },
  },
  {
    name: "on-change-marketing",
    entry: "functions/on-change/marketing/handler.ts",
    source: { kind: "queue", queue: "marketing", batchSize: 10, maxConcurrency: 5 },
    memoryMb: 256,
    // A batch has up to 200 changes, processed one after the other.
    timeoutSeconds: 60,
    permissions: {
      reads: [
        "customer",
        "customer_email",
        "order",
        "price_watch",
        "product",
        "product_alert",
        "settings",
        "subscription",
      ],
      writes: [
        "customer",
        "marketing_timer",
        "outbox",
        "price_watch",
        "product_alert",
        "proof",
        "subscription",
        "unsubscribe_link",
      ],
    },
  },
  {
    name: "on-change-exports",
    entry: "functions/on-change/exports/handler.ts",
    source: { kind: "queue", queue: "exports", batchSize: 1, maxConcurrency: 2 },
    // One vCPU for compression and checksums. The consumer keeps only a few parts of an export in memory, of 8 MB each.
    memoryMb: 1769,
    timeoutSeconds: 900,
    permissions: {
      reads: [
        "categories",
        "export_job",
        "faq_group",
        "faq_order",
        "home",
        "material",
        "media_item",
        "media_use",
        "order",
        "order_change",
        "order_return",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "page",
        "product",
        "published_announcement",
        "published_home",
        "published_menus",
        "published_page",
        "published_sofa_landing",
        "published_story",
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
    environment: ["STRIPE_API_URL"],
    permissions: {
      reads: [
        "categories",
        "category_version",
        "due_order",
        "due_publication",
        "home",
        "invoice_numbers",
        "invoice_to_issue",
        "order",
        "order_change",
        "order_shipment",
        "order_timeline",
        "order_transaction",
        "page",
        "product",
        "published_material",
        "redirect",
        "redirect_map",
        "settings",
        "settings_secrets",
        "sofa",
        "stock",
        "story",
      ],
      writes: [
        "activity",
        "buyer",
        "coupon_uses",
        "due_order",
        "due_publication",
        "home",
        "home_version",
        "invoice_numbers",
        "invoice_to_issue",
        "order",
        "order_timeline",
        "order_to_see",
        "order_transaction",
        "outbox",
        "page",
        "page_version",
        "place_count",
        "planned_delivery",
        "product",
        "public_generation",
        "published_home",
        "published_page",
        "published_product",
        "published_sofa",
        "published_story",
        "quote",
        "redirect",
        "redirect_map",
        "slug_claim",
        "sofa",
        "stock",
        "story",
        "story_teaser",
        "story_version",
      ],
      secrets: ["settings"],
    },
  },
  {
    name: "on-schedule-marketing",
    entry: "functions/on-schedule/marketing/handler.ts",
    source: { kind: "schedule", everyMinutes: 1 },
    memoryMb: 256,
    reservedConcurrency: 1,
    // Less than a minute, so that runs do not overlap.
    timeoutSeconds: 55,
    environment: ["API_BASE_URL"],
    permissions: {
      reads: [
        "alert_wave",
        "cart",
        "cart_reminder",
        "customer",
        "mail_block",
        "marketing_timer",
        "price_watch",
        "product",
        "product_alert",
        "settings",
        "stock",
        "subscription",
      ],
      writes: [
        "alert_wave",
        "cart_reminder",
        "marketing_timer",
        "outbox",
        "price_watch",
        "product_alert",
        "unsubscribe_link",
      ],
    },
  },
  {
    name: "on-schedule-outbox-sweep",
    entry: "functions/on-schedule/outbox-sweep/handler.ts",
    source: { kind: "schedule", everyMinutes: 5 },
    memoryMb: 256,
    reservedConcurrency: 1,
    timeoutSeconds: 60,
    permissions: {
      reads: ["erased_id", "outbox"],
      writes: ["outbox"],
      queues: ["erased-ids", "outbox"],
    },
  },
  {
    name: "on-schedule-feeds",
    entry: "functions/on-schedule/feeds/handler.ts",
    source: { kind: "schedule", everyMinutes: 5 },
    // One vCPU, for reading and compressing a large catalog.
    memoryMb: 1769,
    reservedConcurrency: 1,
    // Less than five minutes, so that runs do not overlap.
    timeoutSeconds: 280,
    environment: ["MEDIA_BASE_URL", "API_BASE_URL"],
    permissions: {
      reads: [
        "feed_files",
        "page",
        "page_version",
        "public_generation",
        "published_home",
        "published_material",
        "published_product",
        "published_sofa",
        "settings",
        "stock",
        "story",
        "story_version",
        "view_pointer",
      ],
      writes: ["feed_files"],
      buckets: { media: "write" },
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
    permissions: { rotates: ["customer", "staff"] },
  },
];
