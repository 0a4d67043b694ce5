// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settingsKeys, staffKeys } from "#functions/connect/keys.ts";
import { settings } from "#functions/connect/settings.ts";

export const resources = [
  {
    paths: ["/admin/auth/login", "/admin/auth/logout", "/admin/auth/me"],
    load: () => import("#functions/admin-auth/sessions.ts"),
  },
  {
    paths: ["/admin/auth/forgot-password", "/admin/auth/reset-password"],
    load: () => import("#functions/admin-auth/password-reset.ts"),
  },
  {
    paths: ["/admin/auth/verify-email", "/admin/auth/profile"],
    load: () => import("#functions/admin-auth/profile.ts"),
  },
  {
    paths: ["/admin/auth/totp", "/admin/auth/totp/confirm"],
    load: () => import("#functions/admin-auth/totp.ts"),
  },
  {
    paths: ["/admin/sessions", "/admin/sessions/{id}"],
    load: () => import("#functions/admin-auth/own-sessions.ts"),
  },
];

export const openers = {
  log: log("admin-auth"),
  elapsed,
  table,
  staffIdentity,
  staffKeys,
  settingsKeys,
  rates,
  randomBytes,
  settings: settings(["store", "security"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
