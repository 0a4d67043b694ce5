import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { bundleFile, laterFile } from "./bundle.ts";

/**
 * What Lambda's `/var/runtime/bootstrap` starts Node with, as far as V8 takes a cache only where it is the same;
 * sizes of the heap, which it sets too, do not count.
 */
export const lambdaFlags = ["--expose-gc"];

const maker = fileURLToPath(new URL("make-code-caches.ts", import.meta.url));

/**
 * Puts a code cache beside every file of the bundles in `directory`: what costs most of a cold start is compiling.
 *
 * @param node makes them, and only the same build of Node takes them
 */
export async function addCodeCaches(
  functions: readonly Pick<DeployedFunction, "name" | "later">[],
  directory: string,
  node = process.env["CODE_CACHE_NODE"] || process.execPath,
): Promise<void> {
  const files = functions.flatMap(({ name, later = [] }) => [
    bundleFile(directory, name),
    ...later.map((each) => laterFile(directory, name, each)),
  ]);
  const absolute = files.map((file) => resolve(file));
  await promisify(execFile)(node, [...lambdaFlags, maker, ...absolute], { env: {} });
}
