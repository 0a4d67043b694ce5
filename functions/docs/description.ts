import { families } from "#functions/families.ts";
import { describe } from "#shared/http/openapi.ts";
import type { Address } from "#shared/http/route.ts";

/*
 * What is said of all routes. A bundle holds what is said and nothing of the routes: `infra/cloud/description.ts`.
 */

export const everyRoute = (): readonly Address[] => families.flatMap(({ routes }) => routes);

/** The OpenAPI document as JSON text. */
export const description = (): string =>
  JSON.stringify(describe(families, { title: "Furniture storefront", version: "1.0.0" }));
