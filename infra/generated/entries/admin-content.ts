// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: [
      "/admin/homepage",
      "/admin/homepage/preview",
      "/admin/homepage/publish",
      "/admin/homepage/versions",
      "/admin/homepage/versions/{version}",
      "/admin/homepage/versions/{version}/restore",
    ],
    load: () => import("#functions/admin-content/homepage.ts"),
  },
  {
    paths: ["/admin/announcement"],
    load: () => import("#functions/admin-content/announcement.ts"),
  },
  {
    paths: ["/admin/menus"],
    load: () => import("#functions/admin-content/menus.ts"),
  },
  {
    paths: [
      "/admin/pages",
      "/admin/pages/{id}",
      "/admin/pages/{id}/preview",
      "/admin/pages/{id}/publish",
      "/admin/pages/{id}/unpublish",
      "/admin/pages/{id}/versions",
      "/admin/pages/{id}/versions/{version}",
      "/admin/pages/{id}/versions/{version}/restore",
    ],
    load: () => import("#functions/admin-content/pages.ts"),
  },
  {
    paths: ["/admin/faqs", "/admin/faqs/{slug}"],
    load: () => import("#functions/admin-content/faqs.ts"),
  },
  {
    paths: [
      "/admin/interiors",
      "/admin/interiors/{id}",
      "/admin/interiors/{id}/preview",
      "/admin/interiors/{id}/publish",
      "/admin/interiors/{id}/unpublish",
      "/admin/interiors/{id}/versions",
      "/admin/interiors/{id}/versions/{version}",
      "/admin/interiors/{id}/versions/{version}/restore",
    ],
    load: () => import("#functions/admin-content/interiors.ts"),
  },
  {
    paths: ["/admin/redirects", "/admin/redirects/{id}"],
    load: () => import("#functions/admin-content/redirects.ts"),
  },
  {
    paths: ["/admin/sofa-landing"],
    load: () => import("#functions/admin-content/sofa-landing.ts"),
  },
];

export const openers = {
  log: log("admin-content"),
  elapsed,
  table,
  staffIdentity,
  randomBytes,
  mediaBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
