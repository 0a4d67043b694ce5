import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/exports/{type}"], load: () => import("./exports.ts") },
  { prefixes: ["/admin/customers/{id}/export"], load: () => import("./customers.ts") },
  {
    prefixes: ["/admin/orders/{id}/documents", "/admin/quotes/{id}/documents"],
    load: () => import("./documents.ts"),
  },
] satisfies readonly Resource[];
