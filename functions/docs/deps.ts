import { description, everyRoute } from "#functions/docs/description.ts";
import { answerNoRoute } from "#shared/http/no-route.ts";
import { readEnvironment } from "#shared/runtime/environment.ts";
import type { Deps } from "./pages.ts";

export function connect(environment: NodeJS.ProcessEnv): Deps {
  const isOpen = readEnvironment(environment, ["DOCS"]).DOCS === "open";
  const routes = isOpen
    ? everyRoute()
    : everyRoute().filter(({ path }) => !path.startsWith("/docs"));
  return {
    isOpen,
    answerNoRoute: (event) => answerNoRoute(routes, event),
    openapi: description,
  };
}
