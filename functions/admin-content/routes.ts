import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/homepage"], load: () => import("./homepage.ts") },
  { prefixes: ["/admin/announcement"], load: () => import("./announcement.ts") },
  { prefixes: ["/admin/menus"], load: () => import("./menus.ts") },
  { prefixes: ["/admin/pages"], load: () => import("./pages.ts") },
  { prefixes: ["/admin/faqs"], load: () => import("./faqs.ts") },
  { prefixes: ["/admin/interiors"], load: () => import("./interiors.ts") },
  { prefixes: ["/admin/redirects"], load: () => import("./redirects.ts") },
  { prefixes: ["/admin/sofa-landing"], load: () => import("./sofa-landing.ts") },
] satisfies readonly Resource[];
