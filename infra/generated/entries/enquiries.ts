// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/enquiries/routes.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";
import { uploads } from "#functions/connect/uploads.ts";
import { documentLinks } from "#functions/connect/file-links.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("enquiries"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  uploads,
  documentLinks,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
