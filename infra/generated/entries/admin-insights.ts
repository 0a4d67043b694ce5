// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/dashboard"],
    load: () => import("#functions/admin-insights/dashboard.ts"),
  },
  {
    paths: ["/admin/analytics/overview"],
    load: () => import("#functions/admin-insights/overview.ts"),
  },
  {
    paths: ["/admin/analytics/traffic"],
    load: () => import("#functions/admin-insights/traffic.ts"),
  },
  {
    paths: ["/admin/analytics/products"],
    load: () => import("#functions/admin-insights/product-metrics.ts"),
  },
  {
    paths: ["/admin/analytics/search"],
    load: () => import("#functions/admin-insights/search-metrics.ts"),
  },
  {
    paths: ["/admin/analytics/leads-funnel"],
    load: () => import("#functions/admin-insights/leads-funnel.ts"),
  },
  {
    paths: ["/admin/analytics/messaging"],
    load: () => import("#functions/admin-insights/messaging.ts"),
  },
  {
    paths: ["/admin/activity"],
    load: () => import("#functions/admin-insights/activity.ts"),
  },
];

export const openers = {
  log: log("admin-insights"),
  elapsed,
  table,
  staffIdentity,
  settings: settings(["store"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
