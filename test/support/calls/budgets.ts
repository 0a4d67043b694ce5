import { everyRoute } from "../http/every-route.ts";
import { type Budgets, recordBudgets } from "./budget.ts";
import { catalogBudgets, marketingBudgets } from "./shop.ts";
import { contentBudgets } from "./content.ts";
import { enquiryBudgets, messageBudgets } from "./enquiries.ts";
import { orderBudgets } from "./orders.ts";
import { peopleBudgets } from "./people.ts";

/** Budgets of routes about the whole shop. The budgets of a single noun are in the file of its calls. */
const shopBudgets: Budgets = {
  "GET /health": [0, 0, 0, 0],
  "GET /admin/settings": [14, 2, 17, 0],
  "GET /admin/settings/checklist": [6, 2, 24, 0],
  "POST /admin/settings/email/test": [4, 2, 7, 1],
  "POST /admin/settings/messaging/test": [6, 2, 9, 1],
  "GET /admin/settings/{group}": [2, 2, 4, 0],
  "PUT /admin/settings/{group}": [3, 3, 4, 8],
  "GET /admin/dashboard": [14, 2, 40, 0],
  "GET /admin/analytics/overview": [11, 2, 28, 0],
  "GET /admin/analytics/traffic": [13, 2, 42, 0],
  "GET /admin/analytics/products": [6, 3, 76, 0],
  "GET /admin/analytics/search": [9, 2, 13, 0],
  "GET /admin/analytics/leads-funnel": [7, 2, 22, 0],
  "GET /admin/analytics/messaging": [4, 2, 13, 0],
  "GET /admin/activity": [4, 3, 12, 0],
  "POST /analytics/events": [3, 3, 1, 2],
  "GET /admin/exports/{type}": [2, 2, 4, 0],
  "GET /docs/api.json": [0, 0, 0, 0],
  "GET /docs/api": [0, 0, 0, 0],
  "GET /docs/api/{asset}": [0, 0, 0, 0],
  "GET /llms.txt": [2, 1, 6, 0],
  "GET /sitemap.xml": [1, 1, 1, 0],
  "GET /sitemaps/{file}": [1, 1, 1, 0],
  "GET /feeds/google-products.xml": [1, 1, 1, 0],
};

/** The usual budgets of the nouns that a `rowStore` stores. A noun that costs more has budgets of its own below. */
const paths = new Set(everyRoute.map(({ route }) => route.path));
const rowBudgets: Budgets = Object.assign(
  {},
  ...everyRoute
    .filter(({ route: { method, logs } }) => method === "POST" && logs !== undefined)
    .map(({ route: { path } }) => recordBudgets(path, paths)),
) as Budgets;

export const storageBudgets: Budgets = {
  ...rowBudgets,
  ...shopBudgets,
  ...contentBudgets,
  ...catalogBudgets,
  ...orderBudgets,
  ...peopleBudgets,
  ...enquiryBudgets,
  ...marketingBudgets,
  ...messageBudgets,
};

/**
 * Routes whose requests and steps are maximums: most read metrics by month and day, so they depend on the day of the
 * month. The first dispatch of an order needs fewer if the scheduled run has issued the invoice already.
 */
export const withMaximums: ReadonlySet<string> = new Set([
  "GET /admin/dashboard",
  "GET /admin/analytics/overview",
  "GET /admin/analytics/traffic",
  "GET /admin/analytics/products",
  "GET /admin/analytics/leads-funnel",
  "GET /admin/analytics/messaging",
  "GET /admin/activity",
  "PATCH /admin/orders/{id}/shipments/{shipment}",
]);
