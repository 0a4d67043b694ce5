import project from "../../package.json" with { type: "json" };
import * as z from "zod";
import { families } from "#functions/families.ts";
import { nameSchemas, shareExamples, type ExportedSchema } from "#shared/http/component-names.ts";
import { describe } from "#shared/http/openapi.ts";
import { operationNames } from "#shared/http/operation-names.ts";
import type { RouteAddress, Route } from "#shared/http/route.ts";
import { groups } from "./groups.ts";
import { introduction } from "./introduction.ts";
import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Methods and paths of all routes. In bundles, `infra/bundle/built-description.ts` replaces this module, so that they
 * contain no code of routes.
 */
export const everyRoute = (): readonly RouteAddress[] => families.flatMap(({ routes }) => routes);

let text: Promise<string> | undefined;

/** The OpenAPI document as JSON text. Building it also writes names into the schemas, so it is built only once. */
export const description = (): Promise<string> => (text ??= described());

async function described(): Promise<string> {
  const sections = Object.entries(groups).map(([family, group]) => ({
    ...group,
    routes: describedRoutes(families.find(({ name }) => name === family)?.routes ?? []),
  }));
  const routes = sections.flatMap((group) => group.routes);
  const missing =
    describedRoutes(families.flatMap((family) => family.routes)).length - routes.length;
  if (missing > 0) throw new Error("A family has no heading: add it to functions/docs/groups.ts.");
  const exports = await exportsOfModules();
  nameSchemas(exportedSchemas(exports), routes);
  shareExamples(routes);
  const info = {
    title: "Furniture storefront",
    version: project.version,
    description: introduction,
  };
  const names = operationNames(routes, exportedRoutes(exports));
  return JSON.stringify(describe(sections, info, names), withoutSafeBound);
}

/** Leaves out the bound of JavaScript's safe integers, which zod repeats beside references. */
const withoutSafeBound = (key: string, value: unknown): unknown =>
  key === "maximum" && value === Number.MAX_SAFE_INTEGER ? undefined : value;

const describedRoutes = (routes: readonly Route[]) =>
  routes.filter(({ outsideApi }) => !outsideApi);

const root = fileURLToPath(new URL("../..", import.meta.url));
const declaring = ["shared/{domain,application,http}/**/*.ts", "functions/*/*.ts"];
/** Modules to leave out, because they declare no routes. */
const others = ["functions/authorizer/*.ts", "functions/connect/*.ts", "functions/on-*/*.ts"];

type Export = readonly [name: string, value: unknown];

/** What the modules with declarations export. */
async function exportsOfModules(): Promise<Export[]> {
  const files = globSync(declaring, { cwd: root, exclude: others }).toSorted();
  const modules = await Promise.all(
    files.map(
      // `import` has the type `any`; a module is a record of its exports.
      (file) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>,
    ),
  );
  return modules.flatMap((module) => Object.entries(module));
}

/** Every exported schema, by the name of its export. */
const exportedSchemas = (exports: readonly Export[]): ExportedSchema[] =>
  exports.flatMap(([name, schema]) =>
    schema instanceof z.ZodType && !(schema instanceof z.ZodOptional) && /^[A-Z]/.test(name)
      ? [{ name, schema }]
      : [],
  );

/** Every exported route, with the name of its export. */
const exportedRoutes = (exports: readonly Export[]): ReadonlyMap<Route, string> =>
  new Map(exports.flatMap(([name, value]) => (isRoute(value) ? [[value, name]] : [])));

const isRoute = (value: unknown): value is Route =>
  typeof value === "object" && value !== null && "handle" in value && "access" in value;
