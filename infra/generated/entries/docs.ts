// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { resources } from "#functions/docs/routes.ts";
import { isDocsOpen } from "#functions/connect/variables.ts";
import { everyRoute, openapi, shopFacts } from "#functions/connect/docs.ts";

export const openers = {
  isDocsOpen,
  everyRoute,
  openapi,
  shopFacts,
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
