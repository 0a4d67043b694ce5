// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/admin-settings/routes.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settingsKeys } from "#functions/connect/keys.ts";
import { secrets } from "#functions/connect/settings.ts";
import { mailer } from "#functions/connect/mailer.ts";
import { mailFrom } from "#functions/connect/variables.ts";
import { whatsApp } from "#functions/connect/whatsapp.ts";

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
