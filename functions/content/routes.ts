import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/health"], load: () => import("./health.ts") },
  { prefixes: ["/bootstrap"], load: () => import("./bootstrap.ts") },
  { prefixes: ["/home"], load: () => import("./home.ts") },
  { prefixes: ["/pages/{slug}"], load: () => import("./pages.ts") },
  { prefixes: ["/faqs"], load: () => import("./faqs.ts") },
  { prefixes: ["/interiors"], load: () => import("./interiors.ts") },
  { prefixes: ["/redirects"], load: () => import("./redirects.ts") },
  { prefixes: ["/sitemap.xml", "/sitemaps", "/feeds"], load: () => import("./feeds.ts") },
] satisfies readonly Resource[];
