import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/leads"], load: () => import("./leads.ts") },
  { prefixes: ["/admin/quotes"], load: () => import("./quotes.ts") },
  { prefixes: ["/admin/newsletter"], load: () => import("./newsletter.ts") },
] satisfies readonly Resource[];
