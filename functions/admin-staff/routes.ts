import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/colleagues"], load: () => import("./colleagues.ts") },
  { prefixes: ["/admin/users"], load: () => import("./users.ts") },
  { prefixes: ["/admin/roles"], load: () => import("./roles.ts") },
] satisfies readonly Resource[];
