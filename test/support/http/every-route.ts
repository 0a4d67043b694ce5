import { families } from "#functions/families.ts";
import { type Route, fullPath, routeKey } from "#shared/http/route.ts";

/** Every declared route, with a name for test titles. */
export const everyRoute: readonly { key: string; route: Route }[] = families.flatMap(({ routes }) =>
  routes.map((route) => ({ key: routeKey(route), route })),
);

export const takesBody = ({ request }: Route) => request.body !== undefined;
export const paramsOf = (route: Route): string[] =>
  [...fullPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** The route's path with these parameter values, unescaped. */
export function pathOf(route: Route, valueOf: (param: string) => string): string {
  return fullPath(route).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => valueOf(name));
}
