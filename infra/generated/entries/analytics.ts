// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/analytics/events"],
    load: () => import("#functions/analytics/events.ts"),
  },
];

export const openers = {
  log: log("analytics"),
  elapsed,
  table,
  rates,
  settings: settings(["store"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
