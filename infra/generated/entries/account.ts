// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/account/routes.ts";
import { elapsed, log, randomBytes } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { customerKeys, linkKeys } from "#functions/connect/keys.ts";
import { customerIdentity } from "#functions/connect/identity.ts";
import { apiBaseUrl, mediaBaseUrl } from "#functions/connect/variables.ts";
import { documentLinks } from "#functions/connect/file-links.ts";
import { documentsQueue } from "#functions/connect/queues.ts";
import { settings } from "#functions/connect/settings.ts";

export const openers = {
  log: log("account"),
  elapsed,
  table,
  customerKeys,
  customerIdentity,
  rates,
  randomBytes,
  mediaBaseUrl,
  linkKeys,
  documentLinks,
  documentsQueue,
  apiBaseUrl,
  settings: settings(["store", "checkout", "payments", "shipping", "tax", "returns"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
