import { hash } from "node:crypto";
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DeployedFunction } from "#functions/deployed-function.ts";
import { bundle } from "./bundle.ts";
import { addCodeCaches } from "./code-cache.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["functions/**/*.ts", "shared/**/*.ts", "infra/cloud/*.ts", "package-lock.json"];

/** Changes with whatever bundles are made from. */
export function stateOfSources(): string {
  const files = globSync(sources, { cwd: root }).toSorted((one, other) => (one < other ? -1 : 1));
  const states = files.map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  return hash("sha256", JSON.stringify([process.version, states]));
}

const markOf = (directory: string) => join(directory, "made-from");

/** Fills a directory with the bundles of every function, as they are deployed. */
export async function makeBundles(
  functions: readonly DeployedFunction[],
  directory: string,
): Promise<void> {
  const state = stateOfSources();
  // V8 knows a source by its length alone: no cache may outlive the bundle that it was made of.
  for (const { name } of functions) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
  await bundle(functions, directory);
  await addCodeCaches(functions, directory);
  writeFileSync(markOf(directory), state);
}

/** Whether `makeBundles` filled the directory from the sources as they are now. */
export function areFresh(directory: string): boolean {
  try {
    return readFileSync(markOf(directory), "utf8") === stateOfSources();
  } catch {
    return false;
  }
}
