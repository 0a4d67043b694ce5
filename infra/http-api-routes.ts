import { type Family, fallbackFamily } from "#functions/families.ts";
import { type Method, type Route, fullPath, isGuarded } from "#shared/http/route.ts";

export interface HttpApiRoute {
  /** Such as `ANY /api/v1/admin/orders/{id}`. */
  readonly key: string;
  readonly method: Method | "ANY" | "OPTIONS";
  readonly path: string;
  /** Name of the family whose function it invokes. */
  readonly family: string;
  /** Why callers need no token; null if the authorizer requires an `Authorization` header. */
  readonly openBecause: string | null;
}

/**
 * The routes of the HTTP API, of which API Gateway allows 300. A guarded path with several methods has one route for
 * all of them. The authorizer would refuse preflights there, so a route without it receives `OPTIONS`. A method with a
 * throttle of its own keeps its route, which takes precedence.
 */
export function httpApiRoutes(families: readonly Family[]): HttpApiRoute[] {
  const hasFallback = families.some(({ name }) => name === fallbackFamily);
  const declared = families.flatMap(({ name, routes }) => routes.map((route) => ({ name, route })));
  const paths = Map.groupBy(declared, ({ route }) => fullPath(route));
  return [...paths].flatMap(([path, all]) => {
    const [first] = all;
    const isShared =
      first !== undefined &&
      all.length > 1 &&
      all.every(({ name, route }) => isGuarded(route) && name === first.name);
    if (!isShared) return all.map(({ name, route }) => single(name, route));
    return [
      { ...named("ANY", path), family: first.name, openBecause: null },
      // A local stack of some functions may lack the one that answers these.
      ...(hasFallback ? [preflight(path)] : []),
      ...all.flatMap(({ name, route }) => (route.limit === undefined ? [] : [single(name, route)])),
    ];
  });
}

/**
 * The routes of the HTTP API, each with what answers it.
 *
 * @param targets by the name of the family
 * @throws Error if a route's family has none
 */
export function servedRoutes<Target>(
  families: readonly Family[],
  targets: ReadonlyMap<string, Target>,
): (HttpApiRoute & { readonly target: Target })[] {
  return httpApiRoutes(families).map((route) => {
    const target = targets.get(route.family);
    if (!target) throw new Error(`The route ${route.key} needs the function ${route.family}.`);
    return { ...route, target };
  });
}

const named = <M extends string>(method: M, path: string) => ({
  key: `${method} ${path}`,
  method,
  path,
});

const preflight = (path: string): HttpApiRoute => ({
  ...named("OPTIONS", path),
  family: fallbackFamily,
  openBecause: "Browsers send preflights without a token.",
});

const single = (family: string, route: Route): HttpApiRoute => ({
  ...named(route.method, fullPath(route)),
  family,
  openBecause: whyOpen(route),
});

function whyOpen(route: Route): string | null {
  if (isGuarded(route)) return null;
  if (route.access.guard === "none") return "Declared as public.";
  return "Guests may call it; the function checks the token if there is one.";
}
