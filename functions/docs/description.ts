import project from "../../package.json" with { type: "json" };
import { families } from "#functions/families.ts";
import { describe } from "#shared/http/openapi.ts";
import type { Address } from "#shared/http/route.ts";

/** Methods and paths of all routes. A bundle holds these without the routes' code: `infra/bundle/built-description.ts`. */
export const everyRoute = (): readonly Address[] => families.flatMap(({ routes }) => routes);

/** The OpenAPI document as JSON text. */
export const description = (): string =>
  JSON.stringify(describe(families, { title: "Furniture storefront", version: project.version }));
