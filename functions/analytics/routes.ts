import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/analytics/events"], load: () => import("./events.ts") },
] satisfies readonly Resource[];
