import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/sofas"], load: () => import("./sofas.ts") },
  { prefixes: ["/sofas/materials"], load: () => import("./materials.ts") },
  { prefixes: ["/products"], load: () => import("./products.ts") },
  { prefixes: ["/products/{slug}/fit", "/sofas/{slug}/fit"], load: () => import("./fit.ts") },
  { prefixes: ["/search"], load: () => import("./search.ts") },
  { prefixes: ["/categories"], load: () => import("./categories.ts") },
] satisfies readonly Resource[];
