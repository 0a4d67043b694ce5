import { families } from "#functions/families.ts";
import { describe } from "#shared/http/openapi.ts";
import type { Address } from "#shared/http/route.ts";

/** Names and paths of all routes. A bundle contains these without the routes' code: `infra/cloud/description.ts`. */

export const everyRoute = (): readonly Address[] => families.flatMap(({ routes }) => routes);

/** The OpenAPI document as JSON text. */
export const description = (): string =>
  JSON.stringify(describe(families, { title: "Furniture storefront", version: "1.0.0" }));
