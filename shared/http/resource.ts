import { apiPrefix } from "../domain/request/api-path.ts";
import { answerNoRoute } from "./no-route.ts";
import { type FrameDeps, type PipelineStep, awaitedLater } from "./pipeline-state.ts";
import { type Route, routeKey } from "./route.ts";

/** Some routes of a function, in a module that is loaded on the first call of one of them. */
export interface Resource<Deps = never> {
  /** The paths of its routes. All methods of a path are in one resource. */
  readonly paths: readonly string[];
  load(): Promise<{ readonly routes: readonly Route<Deps>[] }>;
}

type RouteOf<Each> = Each extends {
  load(): Promise<{ readonly routes: readonly (infer Of)[] }>;
}
  ? Of
  : never;
type Taking<Of> = Of extends Route<infer Deps> ? (deps: Deps) => void : never;

/** What the handlers of all routes of these resources take. */
export type DepsOf<Resources extends readonly Resource[]> =
  Taking<RouteOf<Resources[number]>> extends (deps: infer Deps) => void ? Deps : never;

/** Every route of a function, in documentation order. */
export async function routesOf<Deps>(
  resources: readonly Resource<Deps>[],
): Promise<readonly Route<Deps>[]> {
  const modules = await Promise.all(resources.map((resource) => resource.load()));
  return modules.flatMap(({ routes }) => routes);
}

/**
 * The resource of a route.
 *
 * @param key the route's name at API Gateway, such as `GET /api/v1/products/{slug}`
 */
export function resourceOf<Each extends Pick<Resource, "paths">>(
  resources: readonly Each[],
  key: string,
): Each | undefined {
  const path = key.slice(key.indexOf(" ") + 1).replace(apiPrefix, "");
  return resources.find(({ paths }) => paths.includes(path));
}

/** Starts to load the routes of the request's resource, so that they load while the origin is checked. */
export function startLoading(resources: readonly Resource<FrameDeps>[]): PipelineStep {
  const loading = new Map<Resource<FrameDeps>, Promise<ReadonlyMap<string, Route<FrameDeps>>>>();
  return ({ event, internal }) => {
    const resource = resourceOf(resources, event.routeKey);
    if (!resource) return;
    internal.routes = loading.get(resource) ?? awaitedLater(routesByKey(resource));
    loading.set(resource, internal.routes);
  };
}

async function routesByKey<Deps>(
  resource: Resource<Deps>,
): Promise<ReadonlyMap<string, Route<Deps>>> {
  const { routes } = await resource.load();
  return new Map(routes.map((route) => [routeKey(route), route]));
}

/**
 * Finds the request's route, or answers a request that no route matches. Functions also get the undeclared methods of
 * their guarded paths.
 */
export const findRoute =
  (resources: readonly Resource<FrameDeps>[], connected: () => FrameDeps): PipelineStep =>
  async ({ event, internal }) => {
    const routes = await internal.routes;
    const route = routes?.get(event.routeKey);
    if (!route) {
      const known = async () => (routes ? [...routes.values()] : routesOf(resources));
      return answerNoRoute(connected().everyRoute ?? (await known()), event);
    }
    internal.route = route;
    return undefined;
  };
