// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/content/routes.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { table } from "#functions/connect/table.ts";
import { memory } from "#functions/connect/memories.ts";
import { headSettings, settings } from "#functions/connect/settings.ts";
import { appName, mediaBaseUrl } from "#functions/connect/variables.ts";
import { publicFile } from "#functions/connect/public-file.ts";

export const openers = {
  log: log("content"),
  elapsed,
  table,
  memory,
  headSettings,
  appName,
  mediaBaseUrl,
  publicFile,
  settings: settings(["store", "payments", "shipping", "seo"]),
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
