// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { searchSettings, settings } from "#functions/connect/settings.ts";
import { staffIndexReader } from "#functions/connect/index-readers.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const resources = [
  {
    paths: ["/admin/products", "/admin/products/{id}", "/admin/products/{id}/preview"],
    load: () => import("#functions/admin-catalog/products.ts"),
  },
  {
    paths: ["/admin/sofas", "/admin/sofas/{id}", "/admin/sofas/{id}/preview"],
    load: () => import("#functions/admin-catalog/sofas.ts"),
  },
  {
    paths: ["/admin/materials", "/admin/materials/{id}"],
    load: () => import("#functions/admin-catalog/materials.ts"),
  },
  {
    paths: ["/admin/categories", "/admin/categories/{id}"],
    load: () => import("#functions/admin-catalog/categories.ts"),
  },
  {
    paths: ["/admin/inventory", "/admin/inventory/{sku}"],
    load: () => import("#functions/admin-catalog/inventory.ts"),
  },
  {
    paths: ["/admin/locations", "/admin/locations/{id}"],
    load: () => import("#functions/admin-catalog/locations.ts"),
  },
];

export const openers = {
  log: log("admin-catalog"),
  elapsed,
  table,
  staffIdentity,
  searchSettings,
  randomBytes,
  staffIndexReader,
  mediaBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
