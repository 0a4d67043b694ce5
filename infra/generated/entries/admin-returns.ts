// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { secrets, settings } from "#functions/connect/settings.ts";
import { gateways } from "#functions/connect/gateways.ts";

export const resources = [
  {
    paths: ["/admin/returns", "/admin/returns/{id}"],
    load: () => import("#functions/admin-returns/returns.ts"),
  },
];

export const openers = {
  log: log("admin-returns"),
  elapsed,
  table,
  staffIdentity,
  settingsKeys,
  secrets,
  gateways,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
