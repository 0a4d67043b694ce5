import type { Resource } from "#shared/http/resource.ts";

export const resources = [
  { prefixes: ["/admin/media"], load: () => import("./media.ts") },
] satisfies readonly Resource[];
