// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys, linkKeys, settingsKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { secrets, settings } from "#functions/connect/settings.ts";
import { gateways } from "#functions/connect/gateways.ts";

export const resources = [
  {
    paths: ["/checkout"],
    load: () => import("#functions/checkout/checkout.ts"),
  },
  {
    paths: ["/checkout/{order}/confirm"],
    load: () => import("#functions/checkout/confirm.ts"),
  },
  {
    paths: ["/checkout/{order}/payment"],
    load: () => import("#functions/checkout/change-payment.ts"),
  },
];

export const openers = {
  log: log("checkout"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  linkKeys,
  settingsKeys,
  secrets,
  gateways,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
