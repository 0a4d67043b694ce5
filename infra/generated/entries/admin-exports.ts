// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, now, pause } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { linkKeys } from "#functions/connect/keys.ts";
import { exportsQueue } from "#functions/connect/queues.ts";
import { documentLinks, linkToExport } from "#functions/connect/file-links.ts";
import { apiBaseUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/exports/{type}"],
    load: () => import("#functions/admin-exports/exports.ts"),
  },
  {
    paths: ["/admin/customers/{id}/export"],
    load: () => import("#functions/admin-exports/customers.ts"),
  },
  {
    paths: ["/admin/orders/{id}/documents", "/admin/quotes/{id}/documents"],
    load: () => import("#functions/admin-exports/documents.ts"),
  },
];

export const openers = {
  log: log("admin-exports"),
  elapsed,
  table,
  staffIdentity,
  now,
  pause,
  linkKeys,
  exportsQueue,
  linkToExport,
  documentLinks,
  apiBaseUrl,
  settings: settings(["store"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
