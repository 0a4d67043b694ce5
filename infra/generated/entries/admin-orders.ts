// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/orders", "/admin/orders/{id}"],
    load: () => import("#functions/admin-orders/orders.ts"),
  },
  {
    paths: ["/admin/orders/{id}/shipments", "/admin/orders/{id}/shipments/{shipment}"],
    load: () => import("#functions/admin-orders/shipments.ts"),
  },
  {
    paths: ["/admin/orders/{id}/invoice", "/admin/orders/{id}/payment-schedule/{code}"],
    load: () => import("#functions/admin-orders/billing.ts"),
  },
  {
    paths: [
      "/admin/customers",
      "/admin/customers/{id}",
      "/admin/customers/{id}/phone/confirm",
      "/admin/customers/{id}/orders",
    ],
    load: () => import("#functions/admin-orders/customers.ts"),
  },
  {
    paths: ["/admin/coupons", "/admin/coupons/{id}"],
    load: () => import("#functions/admin-orders/coupons.ts"),
  },
];

export const openers = {
  log: log("admin-orders"),
  elapsed,
  table,
  staffIdentity,
  mediaBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
