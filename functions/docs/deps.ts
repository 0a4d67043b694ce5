import { description, everyRoute } from "#functions/docs/description.ts";
import type { Deps } from "./pages.ts";

export function connect(): Deps {
  let text: string | undefined;
  return { everyRoute: everyRoute(), openapi: () => (text ??= description()) };
}
