// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/admin-catalog/routes.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { staffIdentity } from "#functions/connect/identity.ts";
import { searchSettings, settings } from "#functions/connect/settings.ts";
import { staffIndexReader } from "#functions/connect/index-readers.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

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
