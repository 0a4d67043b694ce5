// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { memory } from "#functions/connect/memories.ts";
import { headSettings, settings } from "#functions/connect/settings.ts";
import { appName, mediaBaseUrl } from "#functions/connect/variables.ts";
import { publicFile } from "#functions/connect/public-file.ts";

export const resources = [
  {
    paths: ["/health"],
    load: () => import("#functions/content/health.ts"),
  },
  {
    paths: ["/bootstrap"],
    load: () => import("#functions/content/bootstrap.ts"),
  },
  {
    paths: ["/home"],
    load: () => import("#functions/content/home.ts"),
  },
  {
    paths: ["/pages/{slug}"],
    load: () => import("#functions/content/pages.ts"),
  },
  {
    paths: ["/faqs"],
    load: () => import("#functions/content/faqs.ts"),
  },
  {
    paths: ["/interiors", "/interiors/{slug}"],
    load: () => import("#functions/content/interiors.ts"),
  },
  {
    paths: ["/redirects"],
    load: () => import("#functions/content/redirects.ts"),
  },
  {
    paths: ["/sitemap.xml", "/sitemaps/{file}", "/feeds/google-products.xml"],
    load: () => import("#functions/content/feeds.ts"),
  },
];

export const openers = {
  log: log("content"),
  elapsed,
  table,
  memory,
  headSettings,
  appName,
  mediaBaseUrl,
  publicFile,
  settings: settings(["store", "payments", "shipping", "seo"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
