import { description, everyRoute as routes } from "#functions/docs/description.ts";
import type { Opener, Shop } from "#shared/application/shop.ts";
import type { ShopFacts } from "#functions/docs/agent-guide.ts";
import type { RouteAddress } from "#shared/http/route.ts";
import { readVariable } from "#shared/runtime/environment.ts";

/** The routes of all families, without those of the documentation while that is not public. */
export const everyRoute: Opener<readonly RouteAddress[], Shop<"isDocsOpen">> = (
  _environment,
  { isDocsOpen },
) =>
  isDocsOpen
    ? routes()
    : routes().filter(({ path }) => !path.startsWith("/docs") && path !== "/llms.txt");

/** The OpenAPI document, memoized at the first call. */
export const openapi: Opener<() => Promise<string>> = () => description;

/** Reads the data of the shop for the guide for agents. The table's client is loaded at the first call. */
export const shopFacts: Opener<() => Promise<ShopFacts>> = (environment) => {
  const table = {
    name: readVariable(environment, "TABLE_NAME"),
    endpoint: readVariable(environment, "DYNAMODB_ENDPOINT"),
  };
  let read: Promise<() => Promise<ShopFacts>> | undefined;
  return async () => {
    read ??= import("#functions/docs/shop-facts.ts").then(({ openShopFacts }) =>
      openShopFacts(table),
    );
    return (await read)();
  };
};
