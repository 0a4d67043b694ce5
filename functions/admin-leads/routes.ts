import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/admin/leads"], load: () => import("./leads.ts") },
  { prefixes: ["/admin/quotes"], load: () => import("./quotes.ts") },
  { prefixes: ["/admin/newsletter"], load: () => import("./newsletter.ts") },
];
