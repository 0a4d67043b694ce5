import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/quotes/{id}/place"], load: () => import("./quotes.ts") },
  { prefixes: ["/admin/orders/{id}/changes"], load: () => import("./changes.ts") },
  { prefixes: ["/admin/orders/{id}/lines"], load: () => import("./lines.ts") },
  { prefixes: ["/admin/orders/{id}/payments"], load: () => import("./payments.ts") },
  { prefixes: ["/admin/orders/{id}/refunds"], load: () => import("./refunds.ts") },
] satisfies readonly Resource[];
