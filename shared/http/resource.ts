import { type Route } from "./route.ts";
import { apiPrefix } from "../domain/request/api-path.ts";

/** Some routes of a function, in a module that is loaded on the first call of one of them. */
export interface Resource<Deps = never> {
  /**
   * Every route of the resource has a path that starts with one of these prefixes. If prefixes of several resources
   * match a path, the route belongs to the resource with the longest one.
   */
  readonly prefixes: readonly string[];
  load(): Promise<{ readonly routes: readonly Route<Deps>[] }>;
}

/** Every route of a function, in documentation order. */
export async function routesOf<Deps>(
  resources: readonly Resource<Deps>[],
): Promise<readonly Route<Deps>[]> {
  const modules = await Promise.all(resources.map((resource) => resource.load()));
  return modules.flatMap(({ routes }) => routes);
}

/**
 * The resource with the longest prefix that matches the route, compared by segment.
 *
 * @param key the route's name at API Gateway, such as `GET /api/v1/products/{slug}`
 */
export function resourceOf<Each extends Pick<Resource, "prefixes">>(
  resources: readonly Each[],
  key: string,
): Each | undefined {
  const path = key.slice(key.indexOf(" ") + 1).replace(apiPrefix, "");
  const [longest] = resources
    .flatMap((resource) => resource.prefixes.map((prefix) => ({ resource, prefix })))
    .filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  return longest?.resource;
}
