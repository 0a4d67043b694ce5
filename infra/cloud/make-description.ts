import { description, everyRoute } from "#functions/docs/description.ts";
import type { Address } from "#shared/http/route.ts";

/*
 * Prints the addresses of all routes and the OpenAPI document. It is started by `description.ts`, so that both are of
 * the sources as they are, whatever the process that bundles them loaded before.
 */

const members: (keyof Address)[] = ["method", "path", "outsideApi"];
process.stdout.write(JSON.stringify([everyRoute(), description()], members));
