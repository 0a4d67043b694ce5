import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/returns"], load: () => import("./returns.ts") },
] satisfies readonly Resource[];
