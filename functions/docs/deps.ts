import { description, everyRoute } from "#functions/docs/description.ts";
import { answerNoRoute } from "#shared/http/no-route.ts";
import { readVariable } from "#shared/runtime/environment.ts";
import type { ShopFacts } from "./agent-guide.ts";
import type { Deps } from "./pages.ts";

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const table = {
    name: readVariable(environment, "TABLE_NAME"),
    endpoint: readVariable(environment, "DYNAMODB_ENDPOINT"),
  };
  const isOpen = readVariable(environment, "DOCS") === "open";
  const routes = isOpen
    ? everyRoute()
    : everyRoute().filter(({ path }) => !path.startsWith("/docs") && path !== "/llms.txt");
  let shop: Promise<() => Promise<ShopFacts>> | undefined;
  return {
    isOpen,
    answerNoRoute: (event) => answerNoRoute(routes, event),
    openapi: description,
    // Only the guide for agents reads the table, so the table's client is loaded at the first call of the guide.
    async shop() {
      shop ??= import("./shop-facts.ts").then(({ openShopFacts }) => openShopFacts(table));
      return (await shop)();
    },
  };
}
