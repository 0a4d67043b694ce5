import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheOf, runModule, scriptOf } from "./cached-script.ts";

/*
 * What Lambda loads of each function: its bundle, and what that loads later, each with its code cache. V8 refuses a
 * cache of another build of itself or of other flags; then, as without one, the file is compiled as ever.
 */

const loaded = new Map<string, object>();

function load(name: string): object {
  const file = join(__dirname, name);
  const cache = readIfThere(cacheOf(file));
  const script = scriptOf(file, cache);
  if (process.env["POWERTOOLS_LOG_LEVEL"] === "DEBUG") {
    const state = !cache ? "none" : script.cachedDataRejected ? "refused" : "used";
    console.debug(JSON.stringify({ message: "Code cache", name, state }));
  }
  const exports = runModule(script, file, requireBeside as NodeJS.Require);
  loaded.set(name, exports);
  return exports;
}

/** Only our own files are named by a path. */
function requireBeside(id: string): unknown {
  return id.startsWith("./") ? (loaded.get(id) ?? load(id)) : require(id);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export const { handler } = load("./bundle.cjs") as { handler: unknown };
