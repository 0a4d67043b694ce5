import project from "../../package.json" with { type: "json" };
import { families } from "#functions/families.ts";
import { nameSchemas, shareExamples } from "#shared/http/component-names.ts";
import { describe } from "#shared/http/openapi.ts";
import type { Address, Route } from "#shared/http/route.ts";
import { exportedSchemas } from "./exported-schemas.ts";
import { groups } from "./groups.ts";
import { introduction } from "./introduction.ts";

/**
 * Methods and paths of all routes. In bundles, `infra/bundle/built-description.ts` replaces this module, so that they
 * contain no code of routes.
 */
export const everyRoute = (): readonly Address[] => families.flatMap(({ routes }) => routes);

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
  nameSchemas(await exportedSchemas(), routes);
  shareExamples(routes);
  const info = {
    title: "Furniture storefront",
    version: project.version,
    description: introduction,
  };
  return JSON.stringify(describe(sections, info));
}

const describedRoutes = (routes: readonly Route[]) =>
  routes.filter(({ outsideApi }) => !outsideApi);
