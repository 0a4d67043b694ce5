import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  {
    prefixes: ["/admin/deliveries", "/admin/delivery-days"],
    load: () => import("./deliveries.ts"),
  },
];
