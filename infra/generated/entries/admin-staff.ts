// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/colleagues", "/admin/users", "/admin/users/{id}", "/admin/users/{id}/totp"],
    load: () => import("#functions/admin-staff/users.ts"),
  },
  {
    paths: ["/admin/roles", "/admin/roles/{role}"],
    load: () => import("#functions/admin-staff/roles.ts"),
  },
];

export const openers = {
  log: log("admin-staff"),
  elapsed,
  table,
  staffIdentity,
  randomBytes,
  settings: settings(["security"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
