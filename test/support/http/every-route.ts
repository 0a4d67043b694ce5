import { families } from "#functions/families.ts";
import { type Route, fullPath, routeKey } from "#shared/http/route.ts";

/** Every declared route, with a name for test titles. */
export const everyRoute: readonly { key: string; route: Route }[] = families.flatMap(({ routes }) =>
  routes.map((route) => ({ key: routeKey(route), route })),
);

/** The headers of which a guest must send one; empty if the route requires none. */
export const guestSends = ({ access }: Route): readonly string[] =>
  (access.guard === "optional" && access.guestSends) || [];

/** The guard whose token gives access to the route; undefined if guests have access without any proof. */
export function requiredGuard(route: Route): "customer" | "staff" | undefined {
  const { guard } = route.access;
  if (guard === "customer" || guard === "staff") return guard;
  return guestSends(route).length > 0 ? "customer" : undefined;
}

export const takesBody = ({ request }: Route) => request.body !== undefined;
export const paramsOf = (route: Route): string[] =>
  [...fullPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** The route's path with these parameter values, unescaped. */
export function pathOf(route: Route, valueOf: (param: string) => string): string {
  return fullPath(route).replaceAll(/\{(\w+)\}/g, (_whole, name: string) => valueOf(name));
}
