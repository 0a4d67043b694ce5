import { hash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundle } from "#infra/bundle/bundle.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const kept = join(root, ".local/bundles");
const sources = ["functions/**/*.ts", "shared/**/*.ts", "infra/bundle/*.ts", "package-lock.json"];

/** Old bundles may still serve a running stack. */
const keptMs = 3_600_000;
/** A process that has not finished by then was killed. */
const bundlingMs = 60_000;

/**
 * The directory with the bundles of all functions, made from the sources as they are: once, however many processes ask,
 * and kept. It lies inside the project, so that native packages are found in this machine's `node_modules`.
 */
export async function localBundles(): Promise<string> {
  mkdirSync(kept, { recursive: true });
  removeOld();

  const bundles = join(kept, stateOfSources());
  const unfinished = `${bundles}.unfinished`;
  while (!existsSync(bundles)) {
    if (isTaken(unfinished)) {
      await delay(50);
      continue;
    }
    try {
      await bundle([authorizer, ...families, ...consumers], unfinished);
      renameSync(unfinished, bundles);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return bundles;
}

/** Changes with everything that bundles are made from. */
function stateOfSources(): string {
  const files = globSync(sources, { cwd: root }).toSorted((one, other) => (one < other ? -1 : 1));
  const states = files.map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  return hash("sha256", JSON.stringify(states));
}

/** Creates a directory, unless another process is filling it. */
function isTaken(directory: string): boolean {
  try {
    mkdirSync(directory);
    return false;
  } catch {
    if (ageOf(directory) > bundlingMs) rmSync(directory, { recursive: true, force: true });
    return true;
  }
}

function removeOld(): void {
  for (const name of readdirSync(kept)) {
    const each = join(kept, name);
    if (ageOf(each) > keptMs) rmSync(each, { recursive: true, force: true });
  }
}

/** In milliseconds; 0 where nothing is. */
function ageOf(path: string): number {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs;
}
