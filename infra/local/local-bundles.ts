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

/** How long old bundles are kept, in ms, because a running stack may still use them. */
const keptMs = 3_600_000;
/** How long bundling may take, in ms. After that it counts as interrupted. */
const bundlingMs = 60_000;

/**
 * The directory with the bundles of all functions. They are built once for each state of the sources, even if several
 * processes request them concurrently. It is inside the project, so that native packages resolve to `node_modules`.
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

/** A hash of everything that bundles are built from. */
function stateOfSources(): string {
  const files = globSync(sources, { cwd: root }).toSorted((one, other) => (one < other ? -1 : 1));
  const states = files.map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  return hash("sha256", JSON.stringify(states));
}

/** Creates a directory. Returns true if another process is filling it. */
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

/** The age of a file in milliseconds; 0 if it does not exist. */
function ageOf(path: string): number {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs;
}
