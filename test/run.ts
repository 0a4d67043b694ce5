import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { BundleInputs } from "#infra/bundle/bundle.ts";
import { createVitest, parseCLI, startVitest } from "vitest/node";
import { changedFiles, changedOption } from "./changed/changed-files.ts";

/**
 * Runs vitest, as `vitest run` does.
 *
 * With `--changed`, it runs only the files that may fail after what is not committed yet, or after all changes since a
 * commit: `npm test -- --changed main`. Unit files are chosen by their imports, files that call the service by the
 * functions that they called in the last whole run.
 */
const root = join(import.meta.dirname, "..");
const { isChanged, since, others } = changedOption(process.argv.slice(2));
const { filter, options } = parseCLI(["vitest", "run", ...others]);
options.config ??= "test/vitest.config.ts";
if (isChanged) {
  // What is chosen is part of a tier, although files are named.
  process.env["TIER"] ??= "daily";
  const files = await chosen(since);
  if (files.length > 0) await run(files);
} else {
  await run(filter);
}

async function run(files: string[]): Promise<void> {
  const vitest = await startVitest("test", files, options);
  await vitest.exit();
}

/** The test files that may fail after the changes. Prints how many, and why. */
async function chosen(since: string | undefined): Promise<string[]> {
  const changed = changedFiles(root, since);
  console.log(`${changed.length} files changed since ${since ?? "the last commit"}.`);
  if (changed.length === 0) return [];
  const [{ chosenFiles, isServiceFile, unbundled }, { readCalled }, inputs] = await Promise.all([
    import("./changed/selection.ts"),
    import("./changed/called-record.ts"),
    inputsOfBundles(),
  ]);
  const vitest = await createVitest("test", { ...options, watch: false });
  const filesRelatedTo = async (sources: readonly string[] | undefined): Promise<string[]> => {
    if (sources === undefined) delete vitest.config.related;
    else vitest.config.related = sources.map((each) => join(root, each));
    const found = await vitest.getRelevantTestSpecifications();
    return found.map(({ moduleId }) => relative(root, moduleId));
  };
  const every = (await filesRelatedTo(undefined)).filter(isServiceFile);
  const byImports = (await filesRelatedTo(changed)).filter((path) => !isServiceFile(path));
  const importing = new Set(await filesRelatedTo(unbundled(changed, inputs)));
  await vitest.close();

  const service = chosenFiles({
    changed,
    files: every.map((path) => ({ path, loadsFunctions: loadsFunctions(path) })),
    called: readCalled(),
    inputs,
    importing,
  });
  const reasons = Object.entries(Object.groupBy(service, ([, reason]) => reason));
  console.log(
    [
      `${byImports.length} files by their imports.`,
      `${service.size} of ${every.length} files that call the service.`,
      ...reasons.map(([reason, chosen = []]) => `  ${chosen.length}: ${reason}`),
    ].join("\n"),
  );
  const files = [...byImports, ...service.keys()];
  if (files.length === 0) console.log("No test file depends on what changed, so none runs.");
  return files;
}

async function inputsOfBundles(): Promise<BundleInputs> {
  const [{ localBundles }, { inputsFile }] = await Promise.all([
    import("#infra/local/functions/local-bundles.ts"),
    import("#infra/bundle/bundle.ts"),
  ]);
  const file = join(await localBundles(), inputsFile);
  return JSON.parse(readFileSync(file, "utf8")) as BundleInputs;
}

/** Whether a test file starts functions beside those whose calls are noted. */
function loadsFunctions(path: string): boolean {
  const text = readFileSync(join(root, path), "utf8");
  return /\bstartStack\(|#infra\/(?:local\/functions|generated\/entries)\/|#functions\/(?:on-\w+|authorizer)\//.test(
    text,
  );
}
