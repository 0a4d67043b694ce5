// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { messagingSettings, secrets, settings } from "#functions/connect/settings.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { gateways } from "#functions/connect/gateways.ts";

export const resources = [
  {
    paths: ["/webhooks/payments/stripe"],
    load: () => import("#functions/webhooks/stripe.ts"),
  },
  {
    paths: ["/webhooks/messaging/whatsapp"],
    load: () => import("#functions/webhooks/whatsapp.ts"),
  },
];

export const openers = {
  log: log("webhooks"),
  elapsed,
  table,
  messagingSettings,
  settingsKeys,
  secrets,
  gateways,
  settings: settings(["payments"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
