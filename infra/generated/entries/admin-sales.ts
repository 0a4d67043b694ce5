// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { linkKeys, settingsKeys } from "#functions/connect/keys.ts";
import { secrets, settings } from "#functions/connect/settings.ts";
import { gateways } from "#functions/connect/gateways.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const resources = [
  {
    paths: ["/admin/quotes/{id}/place"],
    load: () => import("#functions/admin-sales/quotes.ts"),
  },
  {
    paths: ["/admin/orders/{id}/changes", "/admin/orders/{id}/lines/{line}"],
    load: () => import("#functions/admin-sales/changes.ts"),
  },
  {
    paths: [
      "/admin/orders/{id}/payments",
      "/admin/orders/{id}/payments/{transaction}",
      "/admin/orders/{id}/payments/{transaction}/void",
    ],
    load: () => import("#functions/admin-sales/payments.ts"),
  },
  {
    paths: ["/admin/orders/{id}/refunds", "/admin/orders/{id}/refunds/{transaction}"],
    load: () => import("#functions/admin-sales/refunds.ts"),
  },
];

export const openers = {
  log: log("admin-sales"),
  elapsed,
  table,
  staffIdentity,
  settingsKeys,
  secrets,
  gateways,
  linkKeys,
  randomBytes,
  mediaBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
