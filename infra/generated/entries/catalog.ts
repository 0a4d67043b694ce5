// Generated from the manifest by `npm run generate entries`; do not edit.
import { openShop } from "#shared/application/shop.ts";
import { serve } from "#shared/http/serve.ts";
import { elapsed, log } from "#functions/connect/runtime.ts";
import { rates, table } from "#functions/connect/table.ts";
import { indexReader } from "#functions/connect/index-readers.ts";
import { memory } from "#functions/connect/memories.ts";
import { mediaBaseUrl } from "#functions/connect/variables.ts";

export const resources = [
  {
    paths: ["/sofas", "/sofas/{slug}", "/sofas/{slug}/price", "/sofas/{slug}/related"],
    load: () => import("#functions/catalog/sofas.ts"),
  },
  {
    paths: ["/sofas/materials"],
    load: () => import("#functions/catalog/materials.ts"),
  },
  {
    paths: ["/products", "/products/{slug}", "/products/{slug}/related"],
    load: () => import("#functions/catalog/products.ts"),
  },
  {
    paths: ["/products/{slug}/fit", "/sofas/{slug}/fit"],
    load: () => import("#functions/catalog/fit.ts"),
  },
  {
    paths: ["/search", "/search/suggest"],
    load: () => import("#functions/catalog/search.ts"),
  },
  {
    paths: ["/categories", "/categories/{slug}"],
    load: () => import("#functions/catalog/categories.ts"),
  },
];

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
