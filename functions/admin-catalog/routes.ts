import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/products"], load: () => import("./products.ts") },
  { prefixes: ["/admin/sofas"], load: () => import("./sofas.ts") },
  { prefixes: ["/admin/materials"], load: () => import("./materials.ts") },
  { prefixes: ["/admin/categories"], load: () => import("./categories.ts") },
  { prefixes: ["/admin/inventory"], load: () => import("./inventory.ts") },
  { prefixes: ["/admin/locations"], load: () => import("./locations.ts") },
] satisfies readonly Resource[];
