import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/docs"], load: () => import("./pages.ts") },
  { prefixes: ["/llms.txt"], load: () => import("./llms.ts") },
] satisfies readonly Resource[];
