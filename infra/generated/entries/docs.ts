// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { isDocsOpen } from "#functions/connect/variables.ts";
import { everyRoute, openapi, shopFacts } from "#functions/connect/docs.ts";

export const resources = [
  {
    paths: ["/docs/api.json", "/docs/api", "/docs/api/{asset}"],
    load: () => import("#functions/docs/pages.ts"),
  },
  {
    paths: ["/llms.txt"],
    load: () => import("#functions/docs/llms.ts"),
  },
];

export const openers = {
  isDocsOpen,
  everyRoute,
  openapi,
  shopFacts,
};

export const handler = serve(resources, (environment) => openShop(environment, openers));
