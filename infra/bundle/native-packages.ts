import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bundled } from "./bundle.ts";
import { keptDirectory } from "./kept-directory.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Lambda's CPU architectures, by the names that npm uses. */
export type Cpu = "arm64" | "x64";

/**
 * Adds each function's packages that are not bundled (native code, large data) to its folder under `directory`. They
 * are built for Lambda's Linux on `cpu`, in the lockfile's versions.
 *
 * @param cache folder that keeps installed packages between runs
 * @throws Error with instructions when npm cannot install them
 */
export async function addNativePackages(
  functions: readonly Bundled[],
  directory: string,
  cpu: Cpu,
  cache = join(root, ".local"),
): Promise<void> {
  const withPackages = functions.filter(({ packages = [] }) => packages.length > 0);
  if (withPackages.length === 0) return;
  const installed = await installFor(cpu, cache);
  for (const { name, packages = [] } of withPackages) {
    for (const each of await withDependencies(packages, installed)) {
      const target = join(directory, name, "node_modules", each);
      await cp(join(installed, each), target, { recursive: true });
    }
  }
}

/** @returns a `node_modules` folder with the lockfile's production packages for Lambda, kept between runs */
async function installFor(cpu: Cpu, cache: string): Promise<string> {
  const lockfile = await readFile(join(root, "package-lock.json"));
  const kept = join(cache, `native-${cpu}-${hash("sha256", lockfile).slice(0, 16)}`);
  try {
    await keptDirectory(kept, async (directory) => {
      for (const file of ["package.json", "package-lock.json"]) {
        await cp(join(root, file), join(directory, file));
      }
      const platform = ["--os=linux", `--cpu=${cpu}`, "--libc=glibc"];
      const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
      await promisify(execFile)("npm", ["ci", ...platform, ...options], { cwd: directory });
    });
  } catch (cause) {
    throw new Error(
      `npm could not install the native packages for Lambda on ${cpu}. Check that the registry can be reached ` +
        "and that npm ci succeeds, then synthesize again.",
      { cause },
    );
  }
  return join(kept, "node_modules");
}

async function withDependencies(packages: readonly string[], installed: string): Promise<string[]> {
  const needed = new Set(packages);
  for (const name of needed) {
    const manifest = JSON.parse(
      await readFile(join(installed, name, "package.json"), "utf8"),
    ) as Record<"dependencies" | "optionalDependencies", Record<string, string> | undefined>;
    const required = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const each of Object.keys(required)) {
      if (existsSync(join(installed, each))) needed.add(each);
    }
  }
  return [...needed];
}
