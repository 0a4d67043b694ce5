import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Contents, generators } from "./generated-files.ts";

/**
 * Writes generated files: `npm run generate keys client`. Without names, those that follow from the sources alone.
 */
const root = join(import.meta.dirname, "../..");
const oxfmt = join(root, "node_modules/.bin/oxfmt");
const format = { cwd: root, stdio: "ignore" } as const;
const ofSources = Object.keys(generators).filter((name) => generators[name]?.from === "sources");
const [first = "", ...others] = process.argv.slice(2);
const args = generators[first]?.takesArguments ? others : [];
const names = first === "" ? ofSources : args === others ? [first] : [first, ...others];

const unknown = names.find((name) => !(name in generators));
if (unknown !== undefined) {
  console.error(`Nothing generates ${unknown}. Names: ${Object.keys(generators).join(", ")}.`);
  process.exit(1);
}
for (const name of names) {
  const contents = await contentsOf(name);
  const paths = Object.keys(contents);
  for (const [path, content] of Object.entries(contents)) {
    await writeFile(join(root, path), content);
    console.log(`Written: ${path}`);
  }
  if (paths.length === 0) console.log(`${name}: nothing to write.`);
  else execFileSync(oxfmt, ["--no-error-on-unmatched-pattern", ...paths], format);
}

/** The files of a generator. Ends the process if the generator refuses, such as after a failed test. */
async function contentsOf(name: string): Promise<Contents> {
  try {
    return (await generators[name]?.contents(args)) ?? {};
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    console.error(problem.message);
    process.exit(1);
  }
}
