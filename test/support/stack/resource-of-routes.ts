import type { Resource } from "#shared/http/resource.ts";
import type { Route } from "#shared/http/route.ts";

/** Routes of any paths as one resource, for `serve`. */
export const asResource = <Deps>(...routes: readonly Route<Deps>[]): Resource<Deps>[] => [
  { prefixes: [""], load: async () => ({ routes }) },
];
