import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cacheOf, runModule, scriptOf } from "./cached-script.ts";

/*
 * Makes the code caches of the files named on the command line. It is started by `code-cache.ts`, by the Node and
 * with the flags that the caches are for; that a module has run puts into its cache what running it compiled.
 */

for (const file of process.argv.slice(2)) {
  const script = scriptOf(file);
  runModule(script, file, createRequire(file));
  writeFileSync(cacheOf(file), script.createCachedData());
}
