import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { sourceTrace } from "./source-trace.ts";

/** Reads a stack trace of a function from a file or from stdin, and prints it with positions in the sources. */
const { values, positionals } = parseArgs({
  options: { bundles: { type: "string", default: "cdk.out/bundles" } },
  allowPositionals: true,
});
const [name, file] = positionals;
const mapFile = `${values.bundles}/${name}/index.cjs.map`;
if (name === undefined) {
  console.error("Usage: npm run source -- <function> [file]. Without a file, it reads stdin.");
  process.exitCode = 1;
} else if (!existsSync(mapFile)) {
  console.error(`There is no ${mapFile}. Check out the deployed commit and run npm run synth.`);
  process.exitCode = 1;
} else if (file !== undefined && !existsSync(file)) {
  console.error(`There is no ${file}.`);
  process.exitCode = 1;
} else {
  const trace = file === undefined ? await text(process.stdin) : readFileSync(file, "utf8");
  process.stdout.write(sourceTrace(trace, mapFile, readFileSync(mapFile, "utf8")));
}
