import * as z from "zod";
import { pascalCase } from "./component-names.ts";
import type { Route } from "./route.ts";

/**
 * The operation ids of routes, by which generators name functions: `placeOrder`. A route is named by its export. Routes
 * that modules make for a kind of record are named by method and path: `publishPage`. If two routes would have one name,
 * that of the back office begins with `admin`.
 *
 * @param exported the names of exported routes
 * @throws Error when two routes would still have one name
 */
export function operationNames(
  routes: readonly Route[],
  exported: ReadonlyMap<Route, string>,
): ReadonlyMap<Route, string> {
  const own = new Map(
    routes.map((route) => [route, route.operationId ?? exported.get(route) ?? nameOf(route)]),
  );
  const uses = Map.groupBy(routes, (route) => own.get(route));
  const names = new Map(
    Array.from(own, ([route, name]) => {
      const isTaken = (uses.get(name)?.length ?? 0) > 1;
      return [route, isTaken && isOfStaff(route) ? `admin${pascalCase(name)}` : name];
    }),
  );
  const known = new Map<string, Route>();
  for (const [route, name] of names) {
    const other = known.get(name);
    if (other) {
      throw new Error(
        `${route.method} ${route.path} and ${other.method} ${other.path} are both named ${name}: rename an export.`,
      );
    }
    known.set(name, route);
  }
  return names;
}

const isOfStaff = ({ path }: Route): boolean => path.startsWith("/admin/");
const isParam = (part: string): boolean => part.startsWith("{");

const verbs = { GET: "get", POST: "create", PUT: "replace", PATCH: "change", DELETE: "delete" };

/** `POST /admin/pages/{id}/publish` → `publishPage`, `GET /admin/pages/{id}/versions` → `listPageVersions`. */
function nameOf({ method, path, response }: Route): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== "admin");
  const words = parts.flatMap((part, at) =>
    isParam(part) ? [] : [isParam(parts[at + 1] ?? "") ? singular(part) : part],
  );
  const last = words.at(-1) ?? "";
  const isAction = method === "POST" && isParam(parts.at(-2) ?? "");
  if (isAction) return camelCase([last, ...words.slice(0, -1)]);
  const isList = response.data instanceof z.ZodArray;
  if (method === "GET" && isList) return camelCase(["list", ...words]);
  const noun = method === "POST" ? singular(last) : last;
  return camelCase([verbs[method], ...words.slice(0, -1), noun]);
}

const singular = (noun: string): string => noun.replace(/ies$/, "y").replace(/s$/, "");

function camelCase(words: readonly string[]): string {
  const [first = "", ...others] = words.flatMap((word) => word.split(/[-_]/));
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
