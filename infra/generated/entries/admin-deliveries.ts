// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/deliveries", "/admin/delivery-days/{zone}/{date}"],
    load: () => import("#functions/admin-deliveries/deliveries.ts"),
  },
];

export const openers = {
  log: log("admin-deliveries"),
  elapsed,
  table,
  staffIdentity,
  settings: settings(["store", "shipping"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
