import type { Resource } from "#shared/http/resource.ts";
import type { Deps } from "./pages.ts";

export const resources: readonly Resource<Deps>[] = [
  { prefixes: ["/docs"], load: () => import("./pages.ts") },
  { prefixes: ["/llms.txt"], load: () => import("./llms.ts") },
];
