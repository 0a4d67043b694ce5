import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generators } from "./generated-files.ts";

/**
 * Writes generated files: `npm run generate keys client`. Without names, those that follow from the sources alone.
 */
const root = join(import.meta.dirname, "../..");
const oxfmt = join(root, "node_modules/.bin/oxfmt");
const format = { cwd: root, stdio: "ignore" } as const;
const ofSources = Object.keys(generators).filter((name) => generators[name]?.from === "sources");
const names = process.argv.length > 2 ? process.argv.slice(2) : ofSources;

const unknown = names.find((name) => !(name in generators));
if (unknown !== undefined) {
  console.error(`Nothing generates ${unknown}. Names: ${Object.keys(generators).join(", ")}.`);
  process.exit(1);
}
for (const name of names) {
  const contents = (await generators[name]?.contents()) ?? {};
  const paths = Object.keys(contents);
  for (const [path, content] of Object.entries(contents)) {
    await writeFile(join(root, path), content);
    console.log(`Written: ${path}`);
  }
  if (paths.length === 0) console.log(`${name}: nothing to write.`);
  else execFileSync(oxfmt, ["--no-error-on-unmatched-pattern", ...paths], format);
}
