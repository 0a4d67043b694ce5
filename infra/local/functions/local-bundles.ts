import { hash } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { bundle } from "#infra/bundle/bundle.ts";
import { keptDirectory, removeOthers } from "#infra/bundle/kept-directory.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const kept = join(root, ".local/bundles");
const sources = ["functions/**/*.ts", "shared/**/*.ts", "infra/bundle/*.ts", "package-lock.json"];

/** How long old bundles are kept, in ms, because a running stack may still use them. */
const keptMs = 3_600_000;

/**
 * The directory with the bundles of all functions, built for the current sources and kept until they change. It is
 * inside the project, so that native packages resolve to `node_modules`.
 */
export async function localBundles(): Promise<string> {
  const bundles = join(kept, stateOfSources());
  removeOthers(bundles, keptMs);
  return keptDirectory(bundles, (directory) =>
    bundle([authorizer, ...families, ...consumers], directory),
  );
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
