import { resources as account } from "#functions/account/routes.ts";
import { resources as analytics } from "#functions/analytics/routes.ts";
import { resources as adminAuth } from "#functions/admin-auth/routes.ts";
import { resources as adminContent } from "#functions/admin-content/routes.ts";
import { resources as adminExports } from "#functions/admin-exports/routes.ts";
import { resources as adminInbox } from "#functions/admin-inbox/routes.ts";
import { resources as adminInsights } from "#functions/admin-insights/routes.ts";
import { resources as adminDeliveries } from "#functions/admin-deliveries/routes.ts";
import { resources as adminOrders } from "#functions/admin-orders/routes.ts";
import { resources as adminReturns } from "#functions/admin-returns/routes.ts";
import { resources as adminSales } from "#functions/admin-sales/routes.ts";
import { resources as adminSettings } from "#functions/admin-settings/routes.ts";
import { resources as adminStaff } from "#functions/admin-staff/routes.ts";
import { resources as adminCatalog } from "#functions/admin-catalog/routes.ts";
import { resources as adminLeads } from "#functions/admin-leads/routes.ts";
import { resources as adminMedia } from "#functions/admin-media/routes.ts";
import { resources as cart } from "#functions/cart/routes.ts";
import { resources as catalog } from "#functions/catalog/routes.ts";
import { resources as checkout } from "#functions/checkout/routes.ts";
import { resources as content } from "#functions/content/routes.ts";
import { resources as docs } from "#functions/docs/routes.ts";
import { resources as enquiries } from "#functions/enquiries/routes.ts";
import { resources as webhook } from "#functions/webhooks/routes.ts";
import { type Resource, routesOf } from "#shared/http/resource.ts";
import type { Route } from "#shared/http/route.ts";
import { commerceGroups } from "#shared/domain/settings/settings.ts";
import { type Declared, type DeployedFunction, deployed } from "./deployed-function.ts";

/** A Lambda that answers a group of routes. */
export interface Family extends DeployedFunction {
  readonly resources: readonly Resource[];
  /** All routes of the resources. */
  readonly routes: readonly Route[];
}

/**
 * The family that answers requests that match no route. It returns 404 for an unknown path and 405 for a wrong method.
 */
export const fallbackFamily = "docs";

/** The parts of every function that serves staff. */
const staffParts = ["log", "elapsed", "table", "staffIdentity"] as const;
/** The parts of every function that serves guests and customers and stores their changes. */
const customerParts = [
  "log",
  "elapsed",
  "table",
  "customerKeys",
  "customerIdentity",
  "rates",
  "randomBytes",
  "mediaBaseUrl",
] as const;

const declared: readonly Declared<Omit<Family, "routes">>[] = [
  {
    name: "content",
    resources: content,
    parts: [
      "log",
      "elapsed",
      "table",
      "memory",
      "headSettings",
      "appName",
      "mediaBaseUrl",
      "publicFile",
    ],
    settings: ["store", "payments", "shipping", "seo"],
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["APP_NAME", "MEDIA_BASE_URL"],
    permissions: { buckets: { media: "read" } },
  },
  {
    name: "catalog",
    resources: catalog,
    parts: ["log", "elapsed", "table", "rates", "indexReader", "memory", "mediaBaseUrl"],
    memoryMb: 1024,
    // Guaranteed capacity: two fifths of all calls browse the catalog, and must be served while other functions are
    // busy.
    reservedConcurrency: 200,
    timeoutSeconds: 10,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { index: "read" } },
  },
  {
    name: "cart",
    resources: cart,
    parts: [...customerParts, "catalogReads", "lastLines"],
    settings: commerceGroups,
    memoryMb: 1024,
    // Guaranteed capacity: however many callers browse or sign in, buyers can still fill their carts.
    reservedConcurrency: 70,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { secrets: ["customer"] },
  },
  {
    name: "checkout",
    resources: checkout,
    parts: [...customerParts, "linkKeys", "settingsKeys", "secrets", "gateways"],
    settings: commerceGroups,
    memoryMb: 1024,
    // Guaranteed capacity: however many callers browse or sign in, buyers can still place orders.
    reservedConcurrency: 100,
    timeoutSeconds: 20,
    environment: ["MEDIA_BASE_URL", "STRIPE_API_URL"],
    permissions: { secrets: ["customer", "links", "settings"] },
  },
  {
    name: "account",
    packages: ["@node-rs/argon2", "@zxcvbn-ts/language-common"],
    resources: account,
    parts: [...customerParts, "linkKeys", "documentLinks", "documentsQueue", "apiBaseUrl"],
    settings: commerceGroups,
    // One vCPU, because this function hashes passwords.
    memoryMb: 1769,
    reservedConcurrency: 40,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL", "API_BASE_URL"],
    permissions: {
      buckets: { documents: "read" },
      queues: ["documents"],
      secrets: ["customer", "links"],
    },
  },
  {
    name: "admin-auth",
    packages: ["@node-rs/argon2", "@zxcvbn-ts/language-common"],
    resources: adminAuth,
    parts: [...staffParts, "staffKeys", "settingsKeys", "rates", "randomBytes"],
    settings: ["store", "security"],
    memoryMb: 1024,
    reservedConcurrency: 10,
    timeoutSeconds: 10,
    // The secrets of second factors are encrypted with the settings' keys.
    permissions: { secrets: ["staff", "settings"] },
  },
  {
    name: "admin-staff",
    resources: adminStaff,
    parts: [...staffParts, "randomBytes"],
    settings: ["security"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "admin-settings",
    resources: adminSettings,
    parts: [...staffParts, "settingsKeys", "secrets", "rates", "mailer", "mailFrom", "whatsApp"],
    memoryMb: 512,
    timeoutSeconds: 20,
    environment: ["WHATSAPP_API_URL"],
    permissions: { secrets: ["settings"], mails: true },
  },
  {
    name: "admin-insights",
    resources: adminInsights,
    parts: [...staffParts],
    settings: ["store"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "admin-catalog",
    resources: adminCatalog,
    parts: [...staffParts, "searchSettings", "randomBytes", "staffIndexReader", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { index: "read" } },
  },
  {
    name: "admin-content",
    resources: adminContent,
    parts: [...staffParts, "randomBytes", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
  },
  {
    name: "admin-orders",
    resources: adminOrders,
    parts: [...staffParts, "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
  },
  {
    name: "admin-returns",
    resources: adminReturns,
    parts: [...staffParts, "settingsKeys", "secrets", "gateways"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["STRIPE_API_URL"],
    permissions: { secrets: ["settings"] },
  },
  {
    name: "admin-sales",
    resources: adminSales,
    parts: [
      ...staffParts,
      "settingsKeys",
      "secrets",
      "gateways",
      "linkKeys",
      "randomBytes",
      "mediaBaseUrl",
    ],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL", "STRIPE_API_URL"],
    permissions: { secrets: ["links", "settings"] },
  },
  {
    name: "admin-deliveries",
    resources: adminDeliveries,
    parts: [...staffParts],
    settings: ["store", "shipping"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "enquiries",
    resources: enquiries,
    parts: [...customerParts, "uploads", "documentLinks"],
    settings: commerceGroups,
    memoryMb: 512,
    reservedConcurrency: 20,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { quarantine: "fill", documents: "read" }, secrets: ["customer"] },
  },
  {
    name: "analytics",
    resources: analytics,
    parts: ["log", "elapsed", "table", "rates"],
    settings: ["store"],
    memoryMb: 256,
    reservedConcurrency: 30,
    timeoutSeconds: 10,
  },
  {
    name: "admin-leads",
    resources: adminLeads,
    parts: [...staffParts, "randomBytes", "apiBaseUrl", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL", "API_BASE_URL"],
  },
  {
    name: "admin-media",
    resources: adminMedia,
    parts: [...staffParts, "now", "uploads", "mediaBaseUrl"],
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { quarantine: "fill" } },
  },
  {
    name: "admin-inbox",
    resources: adminInbox,
    parts: [...staffParts, "linkToInboxFile", "publicFilesUrl"],
    settings: ["store"],
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { inboxFiles: "read" } },
  },
  {
    name: "admin-exports",
    resources: adminExports,
    parts: [
      ...staffParts,
      "now",
      "pause",
      "linkKeys",
      "exportsQueue",
      "linkToExport",
      "documentLinks",
      "apiBaseUrl",
    ],
    settings: ["store"],
    memoryMb: 512,
    // A request waits up to 20 seconds for an export to finish.
    timeoutSeconds: 29,
    environment: ["API_BASE_URL"],
    permissions: {
      buckets: { documents: "read", exports: "read" },
      queues: ["exports"],
      secrets: ["links"],
    },
  },
  {
    name: "webhooks",
    resources: webhook,
    parts: ["log", "elapsed", "table", "messagingSettings", "settingsKeys", "secrets", "gateways"],
    settings: ["payments"],
    memoryMb: 512,
    reservedConcurrency: 20,
    timeoutSeconds: 15,
    environment: ["STRIPE_API_URL"],
    permissions: { secrets: ["settings"] },
  },
  {
    name: "docs",
    resources: docs,
    parts: ["isDocsOpen", "everyRoute", "openapi", "shopFacts"],
    packages: ["swagger-ui-dist"],
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["DOCS"],
  },
];

export const families: readonly Family[] = await Promise.all(
  declared.map(async (family) => ({
    ...deployed(family),
    routes: await routesOf(family.resources),
  })),
);

/** The Lambda authorizer of guarded routes. */
export const authorizer: DeployedFunction = deployed({
  name: "authorizer",
  parts: ["customerKeys", "staffKeys", "now"],
  memoryMb: 512,
  // Guaranteed capacity: without the authorizer, no signed-in caller is served.
  reservedConcurrency: 100,
  timeoutSeconds: 10,
  permissions: { secrets: ["customer", "staff"] },
});
