import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { consumers } from "#functions/consumers.ts";
import { authorizer, families } from "#functions/families.ts";
import { areFresh, makeBundles, stateOfSources } from "#infra/cloud/made-bundles.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const kept = join(root, ".local/bundles");

/** Old bundles may still serve a stack that runs. */
const keptMs = 3_600_000;
/** Whoever has not made them by then has been killed. */
const makingMs = 60_000;

/**
 * The directory with the bundles of all functions, made from the sources as they are: those that `npm run synth`
 * left when nothing has changed since, else ones that are made here, once however many processes ask, and kept.
 */
export async function localBundles(): Promise<string> {
  const synthesized = join(root, "cdk.out/bundles");
  if (areFresh(synthesized)) return synthesized;
  mkdirSync(kept, { recursive: true });
  removeOld();

  const bundles = join(kept, stateOfSources());
  const making = `${bundles}.making`;
  while (!areFresh(bundles)) {
    if (isTaken(making)) {
      await delay(50);
      continue;
    }
    try {
      await makeBundles([authorizer, ...families, ...consumers], making);
      rmSync(bundles, { recursive: true, force: true });
      renameSync(making, bundles);
      return bundles;
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  return bundles;
}

/** Takes a directory, unless somebody else is filling it. */
function isTaken(directory: string): boolean {
  try {
    mkdirSync(directory);
    return false;
  } catch {
    const age = ageOf(directory);
    if (age > makingMs) rmSync(directory, { recursive: true, force: true });
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
