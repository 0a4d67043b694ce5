import { resources as account } from "#functions/account/routes.ts";
import { resources as analytics } from "#functions/analytics/routes.ts";
import { resources as adminAuth } from "#functions/admin-auth/routes.ts";
import { resources as adminContent } from "#functions/admin-content/routes.ts";
import { resources as adminExports } from "#functions/admin-exports/routes.ts";
import { resources as adminInbox } from "#functions/admin-inbox/routes.ts";
import { resources as adminInsights } from "#functions/admin-insights/routes.ts";
import { resources as adminOrders } from "#functions/admin-orders/routes.ts";
import { resources as adminSettings } from "#functions/admin-settings/routes.ts";
import { resources as adminStaff } from "#functions/admin-staff/routes.ts";
import { resources as adminCatalog } from "#functions/admin-catalog/routes.ts";
import { resources as adminLeads } from "#functions/admin-leads/routes.ts";
import { resources as adminMedia } from "#functions/admin-media/routes.ts";
import { resources as catalog } from "#functions/catalog/routes.ts";
import { resources as checkout } from "#functions/checkout/routes.ts";
import { resources as content } from "#functions/content/routes.ts";
import { resources as docs } from "#functions/docs/routes.ts";
import { resources as enquiries } from "#functions/enquiries/routes.ts";
import { resources as webhook } from "#functions/webhooks/routes.ts";
import { resources as payments } from "#functions/payments/routes.ts";
import { type Resource, routesOf } from "#shared/http/resource.ts";
import type { Route } from "#shared/http/route.ts";
import type { DeployedFunction } from "./deployed-function.ts";

/** A Lambda that answers a group of routes. */
export interface Family extends DeployedFunction {
  readonly resources: readonly Resource[];
  /** All routes of its resources. */
  readonly routes: readonly Route[];
}

/** The family that answers what no route does: it tells an unknown address from a wrong method. */
export const fallbackFamily = "docs";

export const families: readonly Family[] = [
  {
    name: "content",
    entry: "functions/content/handler.ts",
    resources: content,
    routes: await routesOf(content),
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["APP_NAME", "TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "read" },
  },
  {
    name: "catalog",
    entry: "functions/catalog/handler.ts",
    resources: catalog,
    routes: await routesOf(catalog),
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
    resources: checkout,
    routes: await routesOf(checkout),
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
    resources: payments,
    routes: await routesOf(payments),
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
    packages: ["@node-rs/argon2", "@zxcvbn-ts/language-common"],
    resources: account,
    routes: await routesOf(account),
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
    packages: ["@node-rs/argon2", "@zxcvbn-ts/language-common"],
    resources: adminAuth,
    routes: await routesOf(adminAuth),
    memoryMb: 1024,
    atOnce: 10,
    timeoutSeconds: 10,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "STAFF_TOKEN_KEYS",
      "STAFF_TOKEN_SECRET",
      "SETTINGS_KEYS",
      "SETTINGS_SECRET",
    ],
    // The secrets of second factors are encrypted with the settings' keys.
    reach: { table: "write", keeps: ["staff"], signingKeys: ["staff"], settingsKeys: true },
  },
  {
    name: "admin-staff",
    entry: "functions/admin-staff/handler.ts",
    resources: adminStaff,
    routes: await routesOf(adminStaff),
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write", keeps: ["staff"] },
  },
  {
    name: "admin-settings",
    entry: "functions/admin-settings/handler.ts",
    resources: adminSettings,
    routes: await routesOf(adminSettings),
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
    resources: adminInsights,
    routes: await routesOf(adminInsights),
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "read" },
  },
  {
    name: "admin-catalog",
    entry: "functions/admin-catalog/handler.ts",
    resources: adminCatalog,
    routes: await routesOf(adminCatalog),
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
    resources: adminContent,
    routes: await routesOf(adminContent),
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "write" },
  },
  {
    name: "admin-orders",
    entry: "functions/admin-orders/handler.ts",
    resources: adminOrders,
    routes: await routesOf(adminOrders),
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
    resources: enquiries,
    routes: await routesOf(enquiries),
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
    resources: analytics,
    routes: await routesOf(analytics),
    memoryMb: 256,
    atOnce: 30,
    timeoutSeconds: 10,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT"],
    reach: { table: "write" },
  },
  {
    name: "admin-leads",
    entry: "functions/admin-leads/handler.ts",
    resources: adminLeads,
    routes: await routesOf(adminLeads),
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["TABLE_NAME", "DYNAMODB_ENDPOINT", "MEDIA_BASE_URL"],
    reach: { table: "write" },
  },
  {
    name: "admin-media",
    entry: "functions/admin-media/handler.ts",
    resources: adminMedia,
    routes: await routesOf(adminMedia),
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
    resources: adminInbox,
    routes: await routesOf(adminInbox),
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: [
      "TABLE_NAME",
      "DYNAMODB_ENDPOINT",
      "INBOX_BUCKET",
      "S3_ENDPOINT",
      "MEDIA_BASE_URL",
    ],
    reach: { table: "write", inboxFiles: "read" },
  },
  {
    name: "admin-exports",
    entry: "functions/admin-exports/handler.ts",
    resources: adminExports,
    routes: await routesOf(adminExports),
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
    resources: webhook,
    routes: await routesOf(webhook),
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
    resources: docs,
    routes: await routesOf(docs),
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
