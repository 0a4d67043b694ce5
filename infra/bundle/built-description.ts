import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteAddress } from "#shared/http/route.ts";

/*
 * Replaces `functions/docs/description.ts` in bundles: it reads the file that `bundle.ts` wrote beside the function,
 * so that `docs` does not bundle the routes of all families.
 */

const read = (file: string) => readFileSync(join(__dirname, file), "utf8");

let text: string | undefined;
export const description = async (): Promise<string> => (text ??= read("api.json"));

export const everyRoute = (): readonly RouteAddress[] =>
  JSON.parse(read("routes.json")) as RouteAddress[];
