import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/orders"], load: () => import("./orders.ts") },
  { prefixes: ["/admin/orders/{id}/shipments"], load: () => import("./shipments.ts") },
  { prefixes: ["/admin/orders/{id}/invoice"], load: () => import("./invoices.ts") },
  {
    prefixes: ["/admin/orders/{id}/payment-schedule"],
    load: () => import("./payment-schedule.ts"),
  },
  { prefixes: ["/admin/customers"], load: () => import("./customers.ts") },
  { prefixes: ["/admin/coupons"], load: () => import("./coupons.ts") },
] satisfies readonly Resource[];
