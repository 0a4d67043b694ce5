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
import type { Route } from "#shared/http/route.ts";
import type { DeployedFunction } from "./deployed-function.ts";

/** A Lambda that answers a group of routes. */
export interface Family extends DeployedFunction {
  readonly routes: readonly Route[];
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
    packages: ["@node-rs/argon2"],
    later: ["@zxcvbn-ts/language-common"],
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
    packages: ["@node-rs/argon2"],
    later: ["@zxcvbn-ts/language-common"],
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
