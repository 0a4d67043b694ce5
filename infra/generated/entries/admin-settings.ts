// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { secrets } from "#functions/connect/settings.ts";
import { mailer } from "#functions/connect/mailer.ts";
import { mailFrom } from "#functions/connect/variables.ts";
import { whatsApp } from "#functions/connect/whatsapp.ts";

export const resources = [
  {
    paths: ["/admin/settings", "/admin/settings/{group}"],
    load: () => import("#functions/admin-settings/settings.ts"),
  },
  {
    paths: ["/admin/settings/checklist"],
    load: () => import("#functions/admin-settings/checklist.ts"),
  },
  {
    paths: ["/admin/settings/email/test", "/admin/settings/messaging/test"],
    load: () => import("#functions/admin-settings/connection-tests.ts"),
  },
];

export const openers = {
  log: log("admin-settings"),
  elapsed,
  table,
  staffIdentity,
  settingsKeys,
  secrets,
  rates,
  mailer,
  mailFrom,
  whatsApp,
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
