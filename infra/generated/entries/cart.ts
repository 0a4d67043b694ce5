// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { catalogReads, lastLines } from "#functions/connect/memories.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/cart", "/cart/items", "/cart/items/{id}"],
    load: () => import("#functions/cart/cart.ts"),
  },
  {
    paths: ["/shipping/slots", "/cart/slot"],
    load: () => import("#functions/cart/slot.ts"),
  },
  {
    paths: ["/checkout/coupon"],
    load: () => import("#functions/cart/coupon.ts"),
  },
  {
    paths: ["/shipping/quote"],
    load: () => import("#functions/cart/shipping.ts"),
  },
];

export const openers = {
  log: log("cart"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  catalogReads,
  lastLines,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
