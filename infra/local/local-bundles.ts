import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { authorizer, consumers, families } from "#functions/families.ts";
import { areFresh, makeBundles, stateOfSources } from "#infra/cloud/made-bundles.ts";

/** Old bundles may still serve a stack that runs. */
const keptMs = 3_600_000;

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The directory with the bundles of all functions, made from the sources as they are: those that `npm run synth`
 * left when nothing has changed since, else ones that are made here and kept until something does.
 */
export async function localBundles(): Promise<string> {
  const synthesized = join(root, "cdk.out/bundles");
  if (areFresh(synthesized)) return synthesized;
  const kept = join(root, ".local/bundles");
  const current = join(kept, stateOfSources());
  if (areFresh(current)) return current;

  mkdirSync(kept, { recursive: true });
  removeOld(kept);
  const making = mkdtempSync(join(kept, "making-"));
  try {
    await makeBundles([authorizer, ...families, ...consumers], making);
    // Of two that make them at once the first counts.
    if (!existsSync(current)) renameSync(making, current);
    return current;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const each = join(directory, name);
    if (Date.now() - statSync(each).mtimeMs > keptMs)
      rmSync(each, { recursive: true, force: true });
  }
}
