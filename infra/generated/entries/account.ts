// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys, linkKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { apiBaseUrl, mediaBaseUrl } from "#functions/connect/variables.ts";
import { documentLinks } from "#functions/connect/file-links.ts";
import { documentsQueue } from "#functions/connect/queues.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/auth/register", "/auth/login", "/auth/logout", "/auth/me"],
    load: () => import("#functions/account/sessions.ts"),
  },
  {
    paths: [
      "/auth/forgot-password",
      "/auth/reset-password",
      "/auth/verify-email",
      "/auth/verify-email/resend",
    ],
    load: () => import("#functions/account/mailed-links.ts"),
  },
  {
    paths: ["/account/profile", "/account/preferences", "/account/phone/proof", "/account"],
    load: () => import("#functions/account/profile.ts"),
  },
  {
    paths: ["/addresses", "/addresses/{id}", "/addresses/{id}/default"],
    load: () => import("#functions/account/addresses.ts"),
  },
  {
    paths: ["/orders", "/orders/{id}", "/orders/{id}/cancel"],
    load: () => import("#functions/account/orders.ts"),
  },
  {
    paths: ["/orders/track/{number}"],
    load: () => import("#functions/account/tracking.ts"),
  },
  {
    paths: ["/orders/{id}/slots", "/orders/{id}/slot"],
    load: () => import("#functions/account/order-slot.ts"),
  },
  {
    paths: ["/orders/{id}/returns", "/orders/{id}/returns/{return}/cancel"],
    load: () => import("#functions/account/order-returns.ts"),
  },
  {
    paths: ["/orders/{id}/documents", "/documents/{token}"],
    load: () => import("#functions/account/order-documents.ts"),
  },
  {
    paths: ["/wishlist", "/wishlist/{product}"],
    load: () => import("#functions/account/wishlist.ts"),
  },
];

export const openers = {
  log: log("account"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  linkKeys,
  documentLinks,
  documentsQueue,
  apiBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
