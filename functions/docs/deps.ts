import { description, everyRoute } from "#functions/docs/description.ts";
import type { Deps } from "./pages.ts";

export const connect = (): Deps => ({ everyRoute: everyRoute(), openapi: description });
