// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { apiBaseUrl, mediaBaseUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/leads", "/admin/leads/{id}"],
    load: () => import("#functions/admin-leads/leads.ts"),
  },
  {
    paths: [
      "/admin/quotes",
      "/admin/quotes/{id}",
      "/admin/quotes/{id}/send",
      "/admin/quotes/{id}/accept",
    ],
    load: () => import("#functions/admin-leads/quotes.ts"),
  },
  {
    paths: ["/admin/newsletter/subscribers", "/admin/newsletter/export"],
    load: () => import("#functions/admin-leads/newsletter.ts"),
  },
];

export const openers = {
  log: log("admin-leads"),
  elapsed,
  table,
  staffIdentity,
  randomBytes,
  apiBaseUrl,
  mediaBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
