// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/admin-insights/routes.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("admin-insights"),
  elapsed,
  table,
  staffIdentity,
  settings: settings(["store"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
