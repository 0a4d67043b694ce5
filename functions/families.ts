import { routes as accountRoutes } from "#functions/account/routes.ts";
import { routes as analyticsRoutes } from "#functions/analytics/routes.ts";
import { routes as adminAuthRoutes } from "#functions/admin-auth/routes.ts";
import { routes as adminContentRoutes } from "#functions/admin-content/routes.ts";
import { routes as adminExportsRoutes } from "#functions/admin-exports/routes.ts";
import { routes as adminInboxRoutes } from "#functions/admin-inbox/routes.ts";
import { routes as adminInsightsRoutes } from "#functions/admin-insights/routes.ts";
import { routes as adminOrdersRoutes } from "#functions/admin-orders/routes.ts";
import { routes as adminSettingsRoutes } from "#functions/admin-settings/routes.ts";
import { routes as adminStaffRoutes } from "#functions/admin-staff/routes.ts";
import { routes as adminCatalogRoutes } from "#functions/admin-catalog/routes.ts";
import { routes as adminLeadsRoutes } from "#functions/admin-leads/routes.ts";
import { routes as adminMediaRoutes } from "#functions/admin-media/routes.ts";
import { routes as catalogRoutes } from "#functions/catalog/routes.ts";
import { routes as checkoutRoutes } from "#functions/checkout/routes.ts";
import { routes as contentRoutes } from "#functions/content/routes.ts";
import { routes as docsRoutes } from "#functions/docs/routes.ts";
import { routes as enquiriesRoutes } from "#functions/enquiries/routes.ts";
import { routes as webhookRoutes } from "#functions/webhooks/routes.ts";
import { routes as paymentsRoutes } from "#functions/payments/routes.ts";
import type { Guard } from "#shared/auth/claims.ts";
import type { Route } from "#shared/http/route.ts";
import type { VariableName } from "#shared/runtime/environment.ts";

/** Rows that few may change, by the beginnings of their `pk`: whoever could write them could give themselves the shop. */
export const keptRows = {
  staff: ["STAFF#", "EMAIL#staff#", "ROLES", "OWNERS"],
  settings: ["SETTINGS", "SECRETS#"],
} as const satisfies Record<string, readonly string[]>;
export type KeptRows = keyof typeof keptRows;

/** What a function may touch; CDK turns it into grants and the local stack into environment. */
export interface Reach {
  /** `write` includes reading. Either is within the partitions of what is in the function's bundle. */
  table?: "read" | "write";
  /** Rows that it alone, with others that say so, may write. */
  keeps?: readonly KeptRows[];
  view?: "read" | "write";
  /** Puts files where the world reads them. */
  media?: "write";
  /** `fill`: lets callers put files in, in its name; `empty`: reads and removes them. */
  quarantine?: "fill" | "empty";
  /** `read`: hands out links to what is there; `write`: puts it there. */
  exports?: "read" | "write";
  sendsTo?: readonly QueueName[];
  /** Sends mail in the shop's name. */
  mails?: true;
  /** The guards whose signing keys it reads: to mint their tokens, or to verify them itself. */
  signingKeys?: readonly Guard[];
  /** The guards whose signing keys it replaces; it mints nothing. */
  rotates?: readonly Guard[];
  /** Reads or writes secrets of the settings. */
  settingsKeys?: true;
}

interface QueueShape {
  /** Keeps order, and hands out a group's next message only when the one before is dealt with. */
  readonly fifo: boolean;
  /** How often a message may fail before it is put aside for a person to look at. */
  readonly attempts: number;
}

export const queues = {
  // A change that always fails holds up its view for attempts × (timeout + 5 s): two and a half minutes.
  "catalog-view": { fifo: true, attempts: 6 },
  "staff-view": { fifo: true, attempts: 6 },
  // Their pauses grow to a quarter of an hour: a mail server may be away for a day.
  outbox: { fifo: false, attempts: 100 },
  media: { fifo: false, attempts: 5 },
  "media-uses": { fifo: true, attempts: 20 },
  // Whoever sends gives a message up by itself before that.
  whatsapp: { fifo: true, attempts: 40 },
  // Each attempt goes on where the one before stopped.
  exports: { fifo: false, attempts: 5 },
  // What was not counted stays missing, so that an outage of the table may last.
  figures: { fifo: false, attempts: 100 },
} as const satisfies Record<string, QueueShape>;
export type QueueName = keyof typeof queues;

export interface DeployedFunction {
  readonly name: string;
  /** Path of the bundle's entry from the root; it exports `handler`. */
  readonly entry: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /**
   * How many of it run at most at a time, and always may: where abuse would take the account's concurrency from the
   * others, or two at once would be in each other's way.
   */
  readonly atOnce?: number;
  readonly environment: readonly VariableName[];
  readonly reach: Reach;
  /** Makes JSON Schemas of our schemas; what does that is left out of every other bundle. */
  readonly describes?: true;
  /** npm packages that travel beside the bundle as they are, because part of them is machine code. */
  readonly packages?: readonly string[];
  /** npm packages that our own modules load by `import()`: files of their own beside the bundle, read when wanted. */
  readonly later?: readonly string[];
}

/** A Lambda that answers a group of routes. */
export interface Family extends DeployedFunction {
  readonly routes: readonly Route[];
}

/** A Lambda that the table's stream, a queue or the clock wakes. */
export interface Consumer extends DeployedFunction {
  readonly source:
    | {
        readonly kind: "stream";
        readonly batchSize: number;
        /** Beginnings of `pk`: changes of other items do not wake it. */
        readonly partitions: readonly string[];
        /** The same for new items: what becomes of them later does not wake it. */
        readonly newIn: readonly string[];
      }
    | {
        readonly kind: "queue";
        readonly queue: QueueName;
        readonly batchSize: number;
        /** Who works side by side; the others wait in the queue, and no attempt of theirs is spent. */
        readonly sideBySide?: number;
      }
    | { readonly kind: "schedule"; readonly everyMinutes: number };
}

/** The family that answers what no route does: it tells an unknown address from a wrong method. */
export const fallbackFamily = "docs";

export const families: readonly Family[] = [
  {
    name: "content",
    entry: "functions/content/handler.ts",
    routes: contentRoutes,
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["APP_NAME", "TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "read" },
  },
  {
    name: "catalog",
    entry: "functions/catalog/handler.ts",
    routes: catalogRoutes,
    memoryMb: 1024,
    timeoutSeconds: 10,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "VIEW_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ],
    reach: { table: "read", view: "read" },
  },
  {
    name: "checkout",
    entry: "functions/checkout/handler.ts",
    routes: checkoutRoutes,
    later: ["stripe"],
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "CUSTOMER_TOKEN_KEYS",
      "CUSTOMER_TOKEN_SECRET",
      "STRIPE_API_URL",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
    ],
    reach: { table: "write", signingKeys: ["customer"], settingsKeys: true },
  },
  {
    name: "payments",
    entry: "functions/payments/handler.ts",
    routes: paymentsRoutes,
    later: ["stripe"],
    memoryMb: 1024,
    timeoutSeconds: 20,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "CUSTOMER_TOKEN_KEYS",
      "CUSTOMER_TOKEN_SECRET",
      "STRIPE_API_URL",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
    ],
    reach: { table: "write", signingKeys: ["customer"], settingsKeys: true },
  },
  {
    name: "account",
    entry: "functions/account/handler.ts",
    routes: accountRoutes,
    // A whole core: passwords are hashed here.
    memoryMb: 1769,
    atOnce: 40,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "CUSTOMER_TOKEN_KEYS",
      "CUSTOMER_TOKEN_SECRET",
    ],
    reach: { table: "write", signingKeys: ["customer"] },
  },
  {
    name: "admin-auth",
    entry: "functions/admin-auth/handler.ts",
    routes: adminAuthRoutes,
    memoryMb: 1024,
    atOnce: 10,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "STAFF_TOKEN_KEYS", "STAFF_TOKEN_SECRET"],
    reach: { table: "write", keeps: ["staff"], signingKeys: ["staff"] },
  },
  {
    name: "admin-staff",
    entry: "functions/admin-staff/handler.ts",
    routes: adminStaffRoutes,
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write", keeps: ["staff"] },
  },
  {
    name: "admin-settings",
    entry: "functions/admin-settings/handler.ts",
    routes: adminSettingsRoutes,
    memoryMb: 512,
    timeoutSeconds: 20,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SES_ENDPOINT",
      "MAIL_FROM",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "WHATSAPP_API_URL",
    ],
    reach: { table: "write", keeps: ["settings"], mails: true, settingsKeys: true },
  },
  {
    name: "admin-insights",
    entry: "functions/admin-insights/handler.ts",
    routes: adminInsightsRoutes,
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "read" },
  },
  {
    name: "admin-catalog",
    entry: "functions/admin-catalog/handler.ts",
    routes: adminCatalogRoutes,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "VIEW_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ],
    reach: { table: "write", view: "read" },
  },
  {
    name: "admin-content",
    entry: "functions/admin-content/handler.ts",
    routes: adminContentRoutes,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "write" },
  },
  {
    name: "admin-orders",
    entry: "functions/admin-orders/handler.ts",
    routes: adminOrdersRoutes,
    later: ["stripe"],
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "STRIPE_API_URL",
    ],
    reach: { table: "write", settingsKeys: true },
  },
  {
    name: "enquiries",
    entry: "functions/enquiries/handler.ts",
    routes: enquiriesRoutes,
    memoryMb: 512,
    atOnce: 20,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "QUARANTINE_BUCKET",
      "UPLOAD_URL",
      "CUSTOMER_TOKEN_KEYS",
      "CUSTOMER_TOKEN_SECRET",
    ],
    reach: { table: "write", quarantine: "fill", signingKeys: ["customer"] },
  },
  {
    name: "analytics",
    entry: "functions/analytics/handler.ts",
    routes: analyticsRoutes,
    memoryMb: 256,
    atOnce: 30,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write" },
  },
  {
    name: "admin-leads",
    entry: "functions/admin-leads/handler.ts",
    routes: adminLeadsRoutes,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "write" },
  },
  {
    name: "admin-media",
    entry: "functions/admin-media/handler.ts",
    routes: adminMediaRoutes,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "MEDIA_BASE_URL",
      "QUARANTINE_BUCKET",
      "UPLOAD_URL",
    ],
    reach: { table: "write", quarantine: "fill" },
  },
  {
    name: "admin-inbox",
    entry: "functions/admin-inbox/handler.ts",
    routes: adminInboxRoutes,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write" },
  },
  {
    name: "admin-exports",
    entry: "functions/admin-exports/handler.ts",
    routes: adminExportsRoutes,
    memoryMb: 512,
    // A call waits up to 20 seconds for an export to be ready.
    timeoutSeconds: 29,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "EXPORTS_BUCKET",
      "EXPORTS_QUEUE_URL",
      "S3_ENDPOINT",
      "SQS_ENDPOINT",
    ],
    reach: { table: "write", exports: "read", sendsTo: ["exports"] },
  },
  {
    name: "webhooks",
    entry: "functions/webhooks/handler.ts",
    routes: webhookRoutes,
    later: ["stripe"],
    memoryMb: 512,
    atOnce: 20,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "STRIPE_API_URL",
    ],
    reach: { table: "write", settingsKeys: true },
  },
  {
    name: "docs",
    entry: "functions/docs/handler.ts",
    routes: docsRoutes,
    describes: true,
    packages: ["swagger-ui-dist"],
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: [],
    reach: {},
  },
];

/** The Lambda that API Gateway asks whose token a call to a guarded route carries. */
export const authorizer: DeployedFunction = {
  name: "authorizer",
  entry: "functions/authorizer/handler.ts",
  memoryMb: 512,
  timeoutSeconds: 10,
  environment: [
    "CUSTOMER_TOKEN_KEYS",
    "CUSTOMER_TOKEN_SECRET",
    "STAFF_TOKEN_KEYS",
    "STAFF_TOKEN_SECRET",
  ],
  reach: { signingKeys: ["customer", "staff"] },
};

export const consumers: readonly Consumer[] = [
  {
    name: "on-change-stream",
    entry: "functions/on-change/stream/handler.ts",
    source: {
      kind: "stream",
      batchSize: 100,
      partitions: [
        "LIVE#",
        "STOCK#",
        "PRODUCT#",
        "SOFA#",
        "MATERIAL#",
        "PAGE#",
        "STORY#",
        "HOME",
        "MEDIA#",
        "UPLOAD#",
        "ORDER#",
        "LEAD#",
        "QUOTE#",
        "CONVERSATION#",
      ],
      newIn: ["OUTBOX#", "EVENT#"],
    },
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: [
      "CATALOG_VIEW_QUEUE_URL",
      "STAFF_VIEW_QUEUE_URL",
      "OUTBOX_QUEUE_URL",
      "MEDIA_QUEUE_URL",
      "MEDIA_USES_QUEUE_URL",
      "WHATSAPP_QUEUE_URL",
      "FIGURES_QUEUE_URL",
      "SQS_ENDPOINT",
    ],
    reach: {
      sendsTo: [
        "catalog-view",
        "staff-view",
        "outbox",
        "media",
        "media-uses",
        "whatsapp",
        "figures",
      ],
    },
  },
  {
    name: "on-change-catalog-view",
    entry: "functions/on-change/catalog-view/handler.ts",
    source: { kind: "queue", queue: "catalog-view", batchSize: 10 },
    memoryMb: 1024,
    timeoutSeconds: 20,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "VIEW_BUCKET", "S3_ENDPOINT"],
    reach: { table: "write", view: "write" },
  },
  {
    name: "on-change-staff-view",
    entry: "functions/on-change/staff-view/handler.ts",
    source: { kind: "queue", queue: "staff-view", batchSize: 10 },
    memoryMb: 1024,
    timeoutSeconds: 20,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "VIEW_BUCKET", "S3_ENDPOINT"],
    reach: { table: "write", view: "write" },
  },
  {
    name: "on-change-outbox",
    entry: "functions/on-change/outbox/handler.ts",
    source: { kind: "queue", queue: "outbox", batchSize: 5 },
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "OUTBOX_QUEUE_URL",
      "SQS_ENDPOINT",
      "SES_ENDPOINT",
      "MAIL_FROM",
    ],
    reach: { table: "write", mails: true },
  },
  {
    name: "on-change-media",
    entry: "functions/on-change/media/handler.ts",
    source: { kind: "queue", queue: "media", batchSize: 1 },
    packages: ["sharp"],
    // Two cores and room for the pixels of the largest picture.
    memoryMb: 3008,
    timeoutSeconds: 120,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "QUARANTINE_BUCKET",
      "MEDIA_BUCKET",
      "S3_ENDPOINT",
    ],
    reach: { table: "write", media: "write", quarantine: "empty" },
  },
  {
    name: "on-change-media-uses",
    entry: "functions/on-change/media-uses/handler.ts",
    source: { kind: "queue", queue: "media-uses", batchSize: 10 },
    memoryMb: 256,
    timeoutSeconds: 30,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write" },
  },
  {
    name: "on-change-whatsapp",
    entry: "functions/on-change/whatsapp/handler.ts",
    source: { kind: "queue", queue: "whatsapp", batchSize: 5 },
    memoryMb: 256,
    timeoutSeconds: 45,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "WHATSAPP_API_URL",
    ],
    reach: { table: "write", settingsKeys: true },
  },
  {
    name: "on-change-figures",
    entry: "functions/on-change/figures/handler.ts",
    // They add to the same rows: more of them would get in each other's way.
    source: { kind: "queue", queue: "figures", batchSize: 10, sideBySide: 8 },
    memoryMb: 512,
    timeoutSeconds: 30,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write" },
  },
  {
    name: "on-change-exports",
    entry: "functions/on-change/exports/handler.ts",
    source: { kind: "queue", queue: "exports", batchSize: 1 },
    // A whole core, which packs and sums; what it holds of an export is a few parts of 8 MB.
    memoryMb: 1769,
    timeoutSeconds: 900,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "VIEW_BUCKET",
      "EXPORTS_BUCKET",
      "EXPORTS_QUEUE_URL",
      "S3_ENDPOINT",
      "SQS_ENDPOINT",
    ],
    reach: { table: "write", view: "read", exports: "write", sendsTo: ["exports"] },
  },
  {
    name: "on-schedule-due-orders",
    entry: "functions/on-schedule/due-orders/handler.ts",
    source: { kind: "schedule", everyMinutes: 1 },
    later: ["stripe"],
    memoryMb: 512,
    atOnce: 1,
    // Less than a minute, so that no two of them work side by side.
    timeoutSeconds: 55,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
      "STRIPE_API_URL",
    ],
    reach: { table: "write", settingsKeys: true },
  },
  {
    name: "on-schedule-token-keys",
    entry: "functions/on-schedule/token-keys/handler.ts",
    // It looks how old the keys are, and mostly leaves it at that.
    source: { kind: "schedule", everyMinutes: 60 },
    memoryMb: 256,
    atOnce: 1,
    timeoutSeconds: 30,
    environment: ["CUSTOMER_TOKEN_SECRET", "STAFF_TOKEN_SECRET"],
    reach: { rotates: ["customer", "staff"] },
  },
];
