import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./deps.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/admin/returns"], load: () => import("./returns.ts") },
];
