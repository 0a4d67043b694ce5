// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/admin-auth/routes.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { settingsKeys, staffKeys } from "#functions/connect/keys.ts";
import { settings } from "#functions/connect/settings.ts";

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
