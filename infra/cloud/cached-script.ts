import { readFileSync } from "node:fs";
import { Script } from "node:vm";

/** Where the code of a file lies as this V8 compiled it; V8 takes no other version's. */
export const cacheOf = (file: string): string =>
  `${file}.${process.versions.v8}-${process.arch}.cache`;

const head = "(function (exports, require, module, __filename) {";

/** Compiles a CommonJS file, or takes what it was compiled to from its cache. */
export function scriptOf(file: string, cachedData?: Buffer): Script {
  // Bundles are ASCII: as Latin-1 they need no decoding.
  return new Script(`${head}${readFileSync(file, "latin1")}\n})`, {
    filename: file,
    // So that places in stack traces are places in the file.
    columnOffset: -head.length,
    ...(cachedData && { cachedData }),
  });
}

/** Runs a script as a CommonJS module. @returns its exports */
export function runModule(script: Script, file: string, require: NodeJS.Require): object {
  const module = { exports: {} };
  const body = script.runInThisContext() as (...given: unknown[]) => void;
  body.call(module.exports, module.exports, require, module, file);
  return module.exports;
}
