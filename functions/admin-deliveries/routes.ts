import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  {
    prefixes: ["/admin/deliveries", "/admin/delivery-days"],
    load: () => import("./deliveries.ts"),
  },
] satisfies readonly Resource[];
