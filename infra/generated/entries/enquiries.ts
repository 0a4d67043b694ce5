// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { uploads } from "#functions/connect/files.ts";
import { documentLinks } from "#functions/connect/file-links.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/leads"],
    load: () => import("#functions/enquiries/leads.ts"),
  },
  {
    paths: ["/quotes"],
    load: () => import("#functions/enquiries/quotes.ts"),
  },
  {
    paths: ["/quotes/{id}", "/quotes/{id}/accept", "/quotes/{id}/decline"],
    load: () => import("#functions/enquiries/quote-links.ts"),
  },
  {
    paths: ["/quotes/{id}/documents"],
    load: () => import("#functions/enquiries/quote-documents.ts"),
  },
  {
    paths: ["/media/fabric", "/media/fabric/{id}"],
    load: () => import("#functions/enquiries/fabric-uploads.ts"),
  },
  {
    paths: ["/newsletter", "/newsletter/confirm"],
    load: () => import("#functions/enquiries/newsletter.ts"),
  },
  {
    paths: ["/products/{slug}/notify", "/notify/confirm"],
    load: () => import("#functions/enquiries/product-alerts.ts"),
  },
  {
    paths: ["/unsubscribe/{token}"],
    load: () => import("#functions/enquiries/unsubscribe.ts"),
  },
];

export const openers = {
  log: log("enquiries"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  uploads,
  documentLinks,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
