// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/catalog/routes.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { indexReader } from "#functions/connect/index-readers.ts";
import { memory } from "#functions/connect/memories.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const openers = {
  log: log("catalog"),
  elapsed,
  table,
  rates,
  indexReader,
  memory,
  mediaBaseUrl,
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
