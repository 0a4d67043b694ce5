import type { Resource } from "#shared/http/resource.ts";
import type { Route } from "#shared/http/route.ts";
import { commerceGroups } from "#shared/domain/settings/settings.ts";
import { type Declared, type DeployedFunction, deployed } from "./deployed-function.ts";

/** Routes of a family that one file of its folder declares. */
export interface FamilyResource extends Resource {
  /** Such as `#functions/cart/coupon.ts`. */
  readonly module: string;
}

/** A Lambda that answers a group of routes. */
export interface Family extends DeployedFunction {
  readonly resources: readonly FamilyResource[];
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

interface DeclaredFamily extends Declared<Omit<Family, "resources" | "routes">> {
  /** The files of the family's folder that export `routes`, in documentation order. */
  readonly resources: readonly string[];
}

const declared: readonly DeclaredFamily[] = [
  {
    name: "content",
    resources: ["health", "bootstrap", "home", "pages", "faqs", "interiors", "redirects", "feeds"],
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
    resources: ["sofas", "materials", "products", "fit", "search", "categories"],
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
    resources: ["cart", "slot", "coupon", "shipping"],
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
    resources: ["checkout", "confirm", "change-payment"],
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
    resources: [
      "sessions",
      "mailed-links",
      "profile",
      "addresses",
      "orders",
      "tracking",
      "order-slot",
      "order-returns",
      "order-documents",
      "wishlist",
    ],
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
    resources: ["sessions", "password-reset", "profile", "totp", "own-sessions"],
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
    resources: ["users", "roles"],
    parts: [...staffParts, "randomBytes"],
    settings: ["security"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "admin-settings",
    resources: ["settings", "checklist", "connection-tests"],
    parts: [...staffParts, "settingsKeys", "secrets", "rates", "mailer", "mailFrom", "whatsApp"],
    memoryMb: 512,
    timeoutSeconds: 20,
    environment: ["WHATSAPP_API_URL"],
    permissions: { secrets: ["settings"], mails: true },
  },
  {
    name: "admin-insights",
    resources: [
      "dashboard",
      "overview",
      "traffic",
      "product-metrics",
      "search-metrics",
      "leads-funnel",
      "messaging",
      "activity",
    ],
    parts: [...staffParts],
    settings: ["store"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "admin-catalog",
    resources: ["products", "sofas", "materials", "categories", "inventory", "locations"],
    parts: [...staffParts, "searchSettings", "randomBytes", "staffIndexReader", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { index: "read" } },
  },
  {
    name: "admin-content",
    resources: [
      "homepage",
      "announcement",
      "menus",
      "pages",
      "faqs",
      "interiors",
      "redirects",
      "sofa-landing",
    ],
    parts: [...staffParts, "randomBytes", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
  },
  {
    name: "admin-orders",
    resources: ["orders", "shipments", "billing", "customers", "coupons"],
    parts: [...staffParts, "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
  },
  {
    name: "admin-returns",
    resources: ["returns"],
    parts: [...staffParts, "settingsKeys", "secrets", "gateways"],
    settings: commerceGroups,
    memoryMb: 1024,
    timeoutSeconds: 15,
    environment: ["STRIPE_API_URL"],
    permissions: { secrets: ["settings"] },
  },
  {
    name: "admin-sales",
    resources: ["quotes", "changes", "payments", "refunds"],
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
    resources: ["deliveries"],
    parts: [...staffParts],
    settings: ["store", "shipping"],
    memoryMb: 512,
    timeoutSeconds: 10,
  },
  {
    name: "enquiries",
    resources: [
      "leads",
      "quotes",
      "quote-links",
      "quote-documents",
      "fabric-uploads",
      "newsletter",
      "product-alerts",
      "unsubscribe",
    ],
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
    resources: ["events"],
    parts: ["log", "elapsed", "table", "rates"],
    settings: ["store"],
    memoryMb: 256,
    reservedConcurrency: 30,
    timeoutSeconds: 10,
  },
  {
    name: "admin-leads",
    resources: ["leads", "quotes", "newsletter"],
    parts: [...staffParts, "randomBytes", "apiBaseUrl", "mediaBaseUrl"],
    settings: commerceGroups,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL", "API_BASE_URL"],
  },
  {
    name: "admin-media",
    resources: ["media"],
    parts: [...staffParts, "now", "uploads", "mediaBaseUrl"],
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { quarantine: "fill" } },
  },
  {
    name: "admin-inbox",
    resources: ["conversations", "messages", "quick-replies"],
    parts: [...staffParts, "linkToInboxFile", "publicFilesUrl"],
    settings: ["store"],
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ["MEDIA_BASE_URL"],
    permissions: { buckets: { inboxFiles: "read" } },
  },
  {
    name: "admin-exports",
    resources: ["exports", "customers", "documents"],
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
    resources: ["stripe", "whatsapp"],
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
    resources: ["pages", "llms"],
    parts: ["isDocsOpen", "everyRoute", "openapi", "shopFacts"],
    packages: ["swagger-ui-dist"],
    memoryMb: 512,
    timeoutSeconds: 10,
    environment: ["DOCS"],
  },
];

async function resourceIn(family: string, file: string) {
  const module = (await import(`./${family}/${file}.ts`)) as { routes: readonly Route[] };
  const paths = [...new Set(module.routes.map(({ path }) => path))];
  return {
    module: `#functions/${family}/${file}.ts`,
    paths,
    load: async () => module,
    routes: module.routes,
  };
}

export const families: readonly Family[] = await Promise.all(
  declared.map(async (family) => {
    const resources = await Promise.all(
      family.resources.map((file) => resourceIn(family.name, file)),
    );
    return { ...deployed(family), resources, routes: resources.flatMap(({ routes }) => routes) };
  }),
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
