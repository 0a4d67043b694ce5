import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/dashboard"], load: () => import("./dashboard.ts") },
  { prefixes: ["/admin/analytics/overview"], load: () => import("./overview.ts") },
  { prefixes: ["/admin/analytics/traffic"], load: () => import("./traffic.ts") },
  { prefixes: ["/admin/analytics/products"], load: () => import("./product-metrics.ts") },
  { prefixes: ["/admin/analytics/search"], load: () => import("./search-metrics.ts") },
  { prefixes: ["/admin/analytics/leads-funnel"], load: () => import("./leads-funnel.ts") },
  { prefixes: ["/admin/analytics/messaging"], load: () => import("./messaging.ts") },
  { prefixes: ["/admin/activity"], load: () => import("./activity.ts") },
] satisfies readonly Resource[];
